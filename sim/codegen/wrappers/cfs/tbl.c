/* Gains of the export, as the table that is loaded when @U@ starts. */
#include "cfe_tbl_filedef.h"
#include "@n@_table.h"

@U@_Table_t @U@_GainTable = {
    @U@_TABLE_LAYOUT,
    @count@,
    @lines gain_values@
};

CFE_TBL_FILEDEF(@U@_GainTable, @U@.Gains, @U@ gains, @n@_tbl.tbl)
