/* Performance marker of @U@; an example, as the message ids are. */
#ifndef @U@_PERFIDS_H
#define @U@_PERFIDS_H

#ifndef @U@_APP_PERF_ID
#define @U@_APP_PERF_ID 91
#endif

#endif
