/* Message ids of @U@, of the CCSDS version 1 layout: commands from 0x1800, telemetry from 0x0800.
 *
 * The numbers are examples: a mission sets its own before this file is read, or in it. STATE and REFERENCE are sent by
 * other applications, WAKEUP and SEND_HK by the scheduler.
 */
#ifndef @U@_MSGIDS_H
#define @U@_MSGIDS_H

#ifndef @U@_CMD_MID
#define @U@_CMD_MID 0x18D0
#endif
#ifndef @U@_SEND_HK_MID
#define @U@_SEND_HK_MID 0x18D1
#endif
#ifndef @U@_WAKEUP_MID
#define @U@_WAKEUP_MID 0x18D2
#endif
#ifndef @U@_HK_TLM_MID
#define @U@_HK_TLM_MID 0x08D0
#endif
#ifndef @U@_TORQUE_MID
#define @U@_TORQUE_MID 0x08D1
#endif
#ifndef @U@_STATE_MID
#define @U@_STATE_MID 0x08D2
#endif
#ifndef @U@_REFERENCE_MID
#define @U@_REFERENCE_MID 0x08D3
#endif

#endif
