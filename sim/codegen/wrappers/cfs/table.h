/* Gains of the law of @U@ as a table, which replaces them while the application runs.
 *
 * A table is refused if its layout differs, or if a gain is not finite or violates its bound; the gains then stay
 * as they were. Each gain is checked for itself: whether all of them together hold the spacecraft is for the simulation
 * to show.
 */
#ifndef @U@_TABLE_H
#define @U@_TABLE_H

#include "common_types.h"

#define @U@_TABLE_NAME "Gains"
#define @U@_TABLE_FILE "/cf/@n@_tbl.tbl"
#define @U@_TABLE_LAYOUT @layout@ /* of these gains in this order, and of the plant they are for */
#define @U@_TABLE_ERROR (-1) /* what the validation returns of a table that is refused */

typedef struct
{
    uint32 Layout; /* @U@_TABLE_LAYOUT */
    uint32 Count; /* of the gains */
    @lines gain_fields@
} @U@_Table_t;

#endif
