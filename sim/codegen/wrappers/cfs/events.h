/* Event ids of @U@. */
#ifndef @U@_EVENTS_H
#define @U@_EVENTS_H

#define @U@_STARTUP_INF_EID 1
#define @U@_NOOP_INF_EID 2
#define @U@_RESET_INF_EID 3
#define @U@_ENABLE_INF_EID 4
#define @U@_DISABLE_INF_EID 5
#define @U@_RESET_LAW_INF_EID 6
#define @U@_STATUS_INF_EID 7
#define @U@_STATUS_ERR_EID 8
#define @U@_LEN_ERR_EID 9
#define @U@_CC_ERR_EID 10
#define @U@_MID_ERR_EID 11
#define @U@_PIPE_ERR_EID 12
@if gains@
#define @U@_TBL_INF_EID 13
#define @U@_TBL_LOAD_ERR_EID 14
#define @U@_TBL_LAYOUT_ERR_EID 15
#define @U@_TBL_GAIN_ERR_EID 16
@end@

#endif
