/* Messages of @U@. SI units and radians; axes, signs and the order of quaternions are in @n@_law.h.
 *
 * @lines about@
 */
#ifndef @U@_MSG_H
#define @U@_MSG_H

#include "cfe.h"

/* Function codes of @U@_CMD_MID; none takes an argument. */
#define @U@_NOOP_CC 0
#define @U@_RESET_COUNTERS_CC 1
#define @U@_ENABLE_CC 2
#define @U@_DISABLE_CC 3
#define @U@_RESET_LAW_CC 4 /* restart the law: its memory and the time of its last sample */

/* Status of a torque command: that of @n@_law_step, then those of the application. */
@lines statuses@

typedef struct
{
    CFE_MSG_CommandHeader_t CommandHeader;
} @U@_NoArgsCmd_t;

/* The state at a sample. */
typedef struct
{
    double SampleTime; /* s, of any clock that does not run backwards */
    @lines state_fields@
} @U@_State_Payload_t;

typedef struct
{
    CFE_MSG_TelemetryHeader_t TelemetryHeader;
    @U@_State_Payload_t Payload;
} @U@_State_t;

/* The motion to follow, from the next sample on. */
typedef struct
{
    @lines reference_fields@
} @U@_Reference_Payload_t;

typedef struct
{
    CFE_MSG_TelemetryHeader_t TelemetryHeader;
    @U@_Reference_Payload_t Payload;
} @U@_Reference_t;

/* The torque command, sent at each wake-up while the law is enabled; the torque is zero where Status is not 0. */
typedef struct
{
    double SampleTime; /* s, of the state that it answers */
    @lines torque_fields@
    uint32 Status;
    uint32 Spare;
} @U@_Torque_Payload_t;

typedef struct
{
    CFE_MSG_TelemetryHeader_t TelemetryHeader;
    @U@_Torque_Payload_t Payload;
} @U@_Torque_t;

typedef struct
{
    double SampleTime; /* s, of the last torque command */
    @lines torque_fields@
    uint32 WakeupCounter; /* wake-ups received */
    uint32 StepCounter; /* torque commands with status 0 */
    uint32 StepErrorCounter; /* torque commands with another status */
    uint32 LengthErrorCounter; /* states, references, wake-ups and requests of a wrong length, which are refused */
    uint32 TableCounter; /* gain tables taken */
    uint32 TableErrorCounter; /* gain tables refused */
    uint8 CommandCounter;
    uint8 CommandErrorCounter;
    uint8 Enabled; /* 1 or 0 */
    uint8 Status; /* of the last torque command */
    uint32 Spare;
} @U@_HkTlm_Payload_t;

typedef struct
{
    CFE_MSG_TelemetryHeader_t TelemetryHeader;
    @U@_HkTlm_Payload_t Payload;
} @U@_HkTlm_t;

#endif
