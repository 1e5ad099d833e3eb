/* Of the core Flight Executive 7: the types and functions that the application calls, with their signatures. */
#ifndef CFE_H
#define CFE_H

#include "common_types.h"

typedef int32 CFE_Status_t;
#define CFE_SUCCESS (0)
#define CFE_SB_PIPE_RD_ERR ((CFE_Status_t)0xca000005)
#define CFE_TBL_ERR_NEVER_LOADED ((CFE_Status_t)0xcc000005)
#define CFE_TBL_INFO_UPDATED ((CFE_Status_t)0x4c00000E)
#define CFE_TBL_ERR_FILE_NOT_FOUND ((CFE_Status_t)0xcc000013)

/* messages: a CCSDS primary header, and a secondary one of a command or of telemetry */
typedef uint32 CFE_SB_MsgId_Atom_t;
typedef struct { CFE_SB_MsgId_Atom_t Value; } CFE_SB_MsgId_t;
typedef size_t CFE_MSG_Size_t;
typedef uint16 CFE_MSG_FcnCode_t;
typedef union { uint8 Byte[6]; } CFE_MSG_Message_t;
typedef struct { uint8 FunctionCode; uint8 Checksum; } CFE_MSG_CommandSecondaryHeader_t;
typedef struct { uint8 Time[6]; } CFE_MSG_TelemetrySecondaryHeader_t;
typedef struct { CFE_MSG_Message_t Msg; CFE_MSG_CommandSecondaryHeader_t Sec; } CFE_MSG_CommandHeader_t;
typedef struct { CFE_MSG_Message_t Msg; CFE_MSG_TelemetrySecondaryHeader_t Sec; uint8 Spare[4]; } CFE_MSG_TelemetryHeader_t;

#define CFE_MSG_PTR(shdr) (&((shdr).Msg))
#define CFE_SB_INVALID_MSG_ID ((CFE_SB_MsgId_t) {0})

static inline CFE_SB_MsgId_Atom_t CFE_SB_MsgIdToValue(CFE_SB_MsgId_t MsgId) { return MsgId.Value; }
static inline CFE_SB_MsgId_t CFE_SB_ValueToMsgId(CFE_SB_MsgId_Atom_t Value)
{
    CFE_SB_MsgId_t MsgId;
    MsgId.Value = Value;
    return MsgId;
}

CFE_Status_t CFE_MSG_Init(CFE_MSG_Message_t *MsgPtr, CFE_SB_MsgId_t MsgId, CFE_MSG_Size_t Size);
CFE_Status_t CFE_MSG_GetSize(const CFE_MSG_Message_t *MsgPtr, CFE_MSG_Size_t *Size);
CFE_Status_t CFE_MSG_GetMsgId(const CFE_MSG_Message_t *MsgPtr, CFE_SB_MsgId_t *MsgId);
CFE_Status_t CFE_MSG_GetFcnCode(const CFE_MSG_Message_t *MsgPtr, CFE_MSG_FcnCode_t *FcnCode);

/* the software bus */
typedef uint32 CFE_SB_PipeId_t;
typedef union
{
    CFE_MSG_Message_t Msg;
    long long int LongInt;
    long double LongDouble;
} CFE_SB_Buffer_t;
#define CFE_SB_PEND_FOREVER (-1)

CFE_Status_t CFE_SB_CreatePipe(CFE_SB_PipeId_t *PipeIdPtr, uint16 Depth, const char *PipeName);
CFE_Status_t CFE_SB_Subscribe(CFE_SB_MsgId_t MsgId, CFE_SB_PipeId_t PipeId);
CFE_Status_t CFE_SB_ReceiveBuffer(CFE_SB_Buffer_t **BufPtr, CFE_SB_PipeId_t PipeId, int32 TimeOut);
CFE_Status_t CFE_SB_TransmitMsg(const CFE_MSG_Message_t *MsgPtr, bool IsOrigination);
void CFE_SB_TimeStampMsg(CFE_MSG_Message_t *MsgPtr);

/* events */
typedef enum
{
    CFE_EVS_EventType_DEBUG = 1,
    CFE_EVS_EventType_INFORMATION = 2,
    CFE_EVS_EventType_ERROR = 3,
    CFE_EVS_EventType_CRITICAL = 4
} CFE_EVS_EventType_Enum_t;
#define CFE_EVS_EventFilter_BINARY 0

CFE_Status_t CFE_EVS_Register(const void *Filters, uint16 NumEventFilters, uint16 FilterScheme);
CFE_Status_t CFE_EVS_SendEvent(uint16 EventID, CFE_EVS_EventType_Enum_t EventType, const char *Spec, ...)
    OS_PRINTF(3, 4);

/* the executive */
#define CFE_ES_RunStatus_APP_RUN 1
#define CFE_ES_RunStatus_APP_ERROR 3

bool CFE_ES_RunLoop(uint32 *RunStatus);
void CFE_ES_ExitApp(uint32 ExitStatus);
CFE_Status_t CFE_ES_WriteToSysLog(const char *SpecStringPtr, ...) OS_PRINTF(1, 2);
void CFE_ES_PerfLogAdd(uint32 Marker, uint32 EntryExit);
#define CFE_ES_PerfLogEntry(id) (CFE_ES_PerfLogAdd(id, 0))
#define CFE_ES_PerfLogExit(id) (CFE_ES_PerfLogAdd(id, 1))

/* tables */
typedef int16 CFE_TBL_Handle_t;
typedef int32 (*CFE_TBL_CallbackFuncPtr_t)(void *TblPtr);
typedef enum { CFE_TBL_SRC_FILE = 0, CFE_TBL_SRC_ADDRESS } CFE_TBL_SrcEnum_t;
#define CFE_TBL_OPT_DEFAULT (0x0000)

CFE_Status_t CFE_TBL_Register(CFE_TBL_Handle_t *TblHandlePtr, const char *Name, size_t Size, uint16 TblOptionFlags,
                              CFE_TBL_CallbackFuncPtr_t TblValidationFuncPtr);
CFE_Status_t CFE_TBL_Load(CFE_TBL_Handle_t TblHandle, CFE_TBL_SrcEnum_t SrcType, const void *SrcDataPtr);
CFE_Status_t CFE_TBL_Manage(CFE_TBL_Handle_t TblHandle);
CFE_Status_t CFE_TBL_GetAddress(void **TblPtr, CFE_TBL_Handle_t TblHandle);
CFE_Status_t CFE_TBL_ReleaseAddress(CFE_TBL_Handle_t TblHandle);

#endif
