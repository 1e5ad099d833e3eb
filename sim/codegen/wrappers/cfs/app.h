/* The application @U@: data and functions of its own. */
#ifndef @U@_APP_H
#define @U@_APP_H

#include "cfe.h"
#include "@n@_events.h"
#include "@n@_law.h"
#include "@n@_msg.h"
#include "@n@_msgids.h"
#include "@n@_perfids.h"
@if gains@
#include "@n@_table.h"
@end@

#define @U@_PIPE_DEPTH 32
#define @U@_PIPE_NAME "@U@_PIPE"

typedef struct
{
    uint32 RunStatus;
    CFE_SB_PipeId_t CommandPipe;
@if gains@
    CFE_TBL_Handle_t TableHandle;
    @n@_law_parameters Parameters;
@end@
    @n@_law_state Law;
    double SampleTime; /* s, of the last state */
    @real@ State[@U@_LAW_READS];
    @real@ Reference[10];
    bool Enabled;
    bool StateIsNew; /* since the last wake-up */
    bool ReferenceIsKnown;
    uint32 Status; /* of the last torque command */
    @U@_Torque_t Torque;
    @U@_HkTlm_t HkTlm;
} @U@_AppData_t;

extern @U@_AppData_t @U@_AppData;

void @U@_APP_Main(void);
CFE_Status_t @U@_Init(void);
void @U@_TaskPipe(const CFE_SB_Buffer_t *SBBufPtr);
@if gains@
int32 @U@_ValidateTable(void *TblData);
@end@

#endif
