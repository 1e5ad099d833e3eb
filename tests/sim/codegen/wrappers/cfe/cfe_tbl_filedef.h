/* Of the core Flight Executive 7: how a table is named for the tool that makes its file. */
#ifndef CFE_TBL_FILEDEF_H
#define CFE_TBL_FILEDEF_H

#include "common_types.h"

typedef struct CFE_TBL_FileDef
{
    char ObjectName[64];
    char TableName[40];
    char Description[32];
    char TgtFilename[20];
    uint32 ObjectSize;
} CFE_TBL_FileDef_t;

#define CFE_TBL_FILEDEF(ObjName, TblName, Desc, Filename)                                                         \
    static OS_USED CFE_TBL_FileDef_t CFE_TBL_FileDef = {#ObjName "\0", #TblName "\0", #Desc "\0", #Filename "\0", \
                                                        sizeof(ObjName)};

#endif
