/* A software bus, table and event services for one application ATTCTL, driven by lines on standard input:
 *
 *   state NUMBERS, reference NUMBERS   a message of that payload
 *   wakeup, hk, command CODE           a message without payload
 *   cut MID SIZE, other MID            a message of that length, or of that id
 *   table LAYOUT COUNT NUMBERS         a table that waits to be managed; LAYOUT and COUNT are added to the right ones
 *   broken                             the pipe cannot be read
 *
 * Torques, housekeeping and events are lines on standard output; numbers are hexadecimal, to the bit.
 */
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attctl_app.h"

#define LONGEST 100000

static union { CFE_SB_Buffer_t Buffer; uint8 Byte[8192]; } Sent;
static char Line[LONGEST];
static uint32 Subscribed[16];
static int Subscriptions, IsBroken;

static void Print(const char *Name, const double *Numbers, size_t Count)
{
    size_t n;
    printf("%s", Name);
    for (n = 0; n < Count; n++)
    {
        printf(" %a", Numbers[n]);
    }
}

static size_t Read(const char *Text, double *Numbers, size_t Most)
{
    char *End;
    size_t Count = 0;
    double Value = strtod(Text, &End);
    for (; End != Text; Value = strtod(Text, &End))
    {
        assert(Count < Most);
        Numbers[Count++] = Value;
        Text = End;
    }
    return Count;
}

CFE_Status_t CFE_MSG_Init(CFE_MSG_Message_t *MsgPtr, CFE_SB_MsgId_t MsgId, CFE_MSG_Size_t Size)
{
    memset(MsgPtr, 0, Size);
    MsgPtr->Byte[0] = (uint8)(MsgId.Value >> 8);
    MsgPtr->Byte[1] = (uint8)(MsgId.Value & 0xFF);
    MsgPtr->Byte[4] = (uint8)((Size - 7) >> 8);
    MsgPtr->Byte[5] = (uint8)((Size - 7) & 0xFF);
    return CFE_SUCCESS;
}

CFE_Status_t CFE_MSG_GetSize(const CFE_MSG_Message_t *MsgPtr, CFE_MSG_Size_t *Size)
{
    *Size = (size_t)MsgPtr->Byte[4] * 256 + MsgPtr->Byte[5] + 7;
    return CFE_SUCCESS;
}

CFE_Status_t CFE_MSG_GetMsgId(const CFE_MSG_Message_t *MsgPtr, CFE_SB_MsgId_t *MsgId)
{
    *MsgId = CFE_SB_ValueToMsgId((uint32)MsgPtr->Byte[0] * 256 + MsgPtr->Byte[1]);
    return CFE_SUCCESS;
}

CFE_Status_t CFE_MSG_GetFcnCode(const CFE_MSG_Message_t *MsgPtr, CFE_MSG_FcnCode_t *FcnCode)
{
    *FcnCode = ((const CFE_MSG_CommandHeader_t *)MsgPtr)->Sec.FunctionCode;
    return CFE_SUCCESS;
}

CFE_Status_t CFE_SB_CreatePipe(CFE_SB_PipeId_t *PipeIdPtr, uint16 Depth, const char *PipeName)
{
    assert(Depth > 0 && strlen(PipeName) < 20);
    *PipeIdPtr = 7;
    return CFE_SUCCESS;
}

CFE_Status_t CFE_SB_Subscribe(CFE_SB_MsgId_t MsgId, CFE_SB_PipeId_t PipeId)
{
    assert(PipeId == 7);
    Subscribed[Subscriptions++] = MsgId.Value;
    return CFE_SUCCESS;
}

static void Message(uint32 MsgId, size_t Size)
{
    int n;
    for (n = 0; n < Subscriptions && Subscribed[n] != MsgId; n++)
    {
    }
    assert(n < Subscriptions || MsgId == 0x1999);
    CFE_MSG_Init(&Sent.Buffer.Msg, CFE_SB_ValueToMsgId(MsgId), Size);
}

CFE_Status_t CFE_SB_ReceiveBuffer(CFE_SB_Buffer_t **BufPtr, CFE_SB_PipeId_t PipeId, int32 TimeOut)
{
    unsigned int MsgId, Size;
    assert(PipeId == 7 && TimeOut == CFE_SB_PEND_FOREVER);
    *BufPtr = &Sent.Buffer;
    if (IsBroken)
    {
        return CFE_SB_PIPE_RD_ERR;
    }
    if (strncmp(Line, "state ", 6) == 0)
    {
        ATTCTL_State_t *State = (ATTCTL_State_t *)&Sent;
        Message(ATTCTL_STATE_MID, sizeof(*State));
        assert(Read(Line + 6, (double *)&State->Payload, sizeof(State->Payload) / 8) == sizeof(State->Payload) / 8);
    }
    else if (strncmp(Line, "reference ", 10) == 0)
    {
        ATTCTL_Reference_t *Reference = (ATTCTL_Reference_t *)&Sent;
        Message(ATTCTL_REFERENCE_MID, sizeof(*Reference));
        assert(Read(Line + 10, (double *)&Reference->Payload, 10) == 10);
    }
    else if (strncmp(Line, "command ", 8) == 0)
    {
        Message(ATTCTL_CMD_MID, sizeof(CFE_MSG_CommandHeader_t));
        ((CFE_MSG_CommandHeader_t *)&Sent)->Sec.FunctionCode = (uint8)atoi(Line + 8);
    }
    else if (sscanf(Line, "cut %x %u", &MsgId, &Size) == 2 || sscanf(Line, "other %x %u", &MsgId, &Size) == 2)
    {
        Message(MsgId, Size);
    }
    else
    {
        assert(strcmp(Line, "wakeup") == 0 || strcmp(Line, "hk") == 0);
        Message(Line[0] == 'w' ? ATTCTL_WAKEUP_MID : ATTCTL_SEND_HK_MID, sizeof(CFE_MSG_CommandHeader_t));
    }
    return CFE_SUCCESS;
}

CFE_Status_t CFE_SB_TransmitMsg(const CFE_MSG_Message_t *MsgPtr, bool IsOrigination)
{
    CFE_SB_MsgId_t MsgId;
    CFE_MSG_Size_t Size;
    CFE_MSG_GetMsgId(MsgPtr, &MsgId);
    CFE_MSG_GetSize(MsgPtr, &Size);
    assert(IsOrigination);
    if (MsgId.Value == ATTCTL_TORQUE_MID)
    {
        const ATTCTL_Torque_Payload_t *Payload = &((const ATTCTL_Torque_t *)MsgPtr)->Payload;
        assert(Size == sizeof(ATTCTL_Torque_t));
        printf("torque %u", (unsigned int)Payload->Status);
        Print("", &Payload->SampleTime, 1 + ATTCTL_LAW_WRITES);
    }
    else
    {
        const ATTCTL_HkTlm_Payload_t *Payload = &((const ATTCTL_HkTlm_t *)MsgPtr)->Payload;
        assert(MsgId.Value == ATTCTL_HK_TLM_MID && Size == sizeof(ATTCTL_HkTlm_t));
        printf("hk %u %u %u %u %u %u %u %u %u %u", (unsigned int)Payload->WakeupCounter,
               (unsigned int)Payload->StepCounter, (unsigned int)Payload->StepErrorCounter,
               (unsigned int)Payload->LengthErrorCounter, (unsigned int)Payload->TableCounter,
               (unsigned int)Payload->TableErrorCounter, Payload->CommandCounter, Payload->CommandErrorCounter,
               Payload->Enabled, Payload->Status);
        Print("", &Payload->SampleTime, 1 + ATTCTL_LAW_WRITES);
    }
    printf("\n");
    return CFE_SUCCESS;
}

void CFE_SB_TimeStampMsg(CFE_MSG_Message_t *MsgPtr)
{
    ((CFE_MSG_TelemetryHeader_t *)MsgPtr)->Sec.Time[0] = 1;
}

CFE_Status_t CFE_EVS_Register(const void *Filters, uint16 NumEventFilters, uint16 FilterScheme)
{
    assert(!Filters && NumEventFilters == 0 && FilterScheme == CFE_EVS_EventFilter_BINARY);
    return CFE_SUCCESS;
}

CFE_Status_t CFE_EVS_SendEvent(uint16 EventID, CFE_EVS_EventType_Enum_t EventType, const char *Spec, ...)
{
    char Text[400];
    va_list Arguments;
    va_start(Arguments, Spec);
    assert(vsnprintf(Text, sizeof(Text), Spec, Arguments) < 122); /* what cFE keeps of an event */
    va_end(Arguments);
    printf("event %d %d %s\n", EventID, EventType, Text);
    return CFE_SUCCESS;
}

bool CFE_ES_RunLoop(uint32 *RunStatus)
{
    if (*RunStatus != CFE_ES_RunStatus_APP_RUN || !fgets(Line, sizeof(Line), stdin))
    {
        return false;
    }
    assert(strchr(Line, '\n'));
    *strchr(Line, '\n') = 0;
    IsBroken = strcmp(Line, "broken") == 0;
#ifdef ATTCTL_TABLE_H
    {
        extern void TableWaits(const char *Text);
        if (strncmp(Line, "table ", 6) == 0)
        {
            TableWaits(Line + 6);
            return CFE_ES_RunLoop(RunStatus);
        }
    }
#endif
    return true;
}

void CFE_ES_ExitApp(uint32 ExitStatus)
{
    printf("exit %u\n", (unsigned int)ExitStatus);
}

CFE_Status_t CFE_ES_WriteToSysLog(const char *SpecStringPtr, ...)
{
    printf("log %s\n", SpecStringPtr);
    return CFE_SUCCESS;
}

void CFE_ES_PerfLogAdd(uint32 Marker, uint32 EntryExit)
{
    assert(Marker == ATTCTL_APP_PERF_ID && EntryExit < 2);
}

#ifdef ATTCTL_TABLE_H

extern ATTCTL_Table_t ATTCTL_GainTable; /* of the file that the application comes with */
void TableWaits(const char *Text);

static ATTCTL_Table_t Active, Waiting;
static CFE_TBL_CallbackFuncPtr_t Validate;
static int IsLoaded, IsWaiting, IsUpdated;

void TableWaits(const char *Text)
{
    double Numbers[2 + ATTCTL_LAW_GAINS];
    assert(Read(Text, Numbers, 2 + ATTCTL_LAW_GAINS) == 2 + ATTCTL_LAW_GAINS);
    Waiting = ATTCTL_GainTable;
    Waiting.Layout += (uint32)Numbers[0];
    Waiting.Count += (uint32)Numbers[1];
    memcpy((char *)&Waiting + 8, Numbers + 2, ATTCTL_LAW_GAINS * sizeof(double));
    IsWaiting = 1;
}

CFE_Status_t CFE_TBL_Register(CFE_TBL_Handle_t *TblHandlePtr, const char *Name, size_t Size, uint16 TblOptionFlags,
                              CFE_TBL_CallbackFuncPtr_t TblValidationFuncPtr)
{
    assert(strlen(Name) < 16 && Size == 8 + ATTCTL_LAW_GAINS * sizeof(double) && TblOptionFlags == CFE_TBL_OPT_DEFAULT);
    *TblHandlePtr = 3;
    Validate = TblValidationFuncPtr;
    return CFE_SUCCESS;
}

CFE_Status_t CFE_TBL_Load(CFE_TBL_Handle_t TblHandle, CFE_TBL_SrcEnum_t SrcType, const void *SrcDataPtr)
{
    assert(TblHandle == 3 && SrcType == CFE_TBL_SRC_FILE && strcmp(SrcDataPtr, "/cf/attctl_tbl.tbl") == 0);
    if (getenv("NO_TABLE"))
    {
        return CFE_TBL_ERR_FILE_NOT_FOUND;
    }
    if (Validate(&ATTCTL_GainTable) != CFE_SUCCESS)
    {
        return ATTCTL_TABLE_ERROR;
    }
    Active = ATTCTL_GainTable;
    IsLoaded = IsUpdated = 1;
    return CFE_SUCCESS;
}

CFE_Status_t CFE_TBL_Manage(CFE_TBL_Handle_t TblHandle)
{
    assert(TblHandle == 3);
    if (!IsWaiting)
    {
        return CFE_SUCCESS;
    }
    IsWaiting = 0;
    if (Validate(&Waiting) != CFE_SUCCESS)
    {
        return CFE_SUCCESS;
    }
    Active = Waiting;
    IsLoaded = IsUpdated = 1;
    return CFE_TBL_INFO_UPDATED;
}

CFE_Status_t CFE_TBL_GetAddress(void **TblPtr, CFE_TBL_Handle_t TblHandle)
{
    const int WasUpdated = IsUpdated;
    assert(TblHandle == 3);
    if (!IsLoaded)
    {
        return CFE_TBL_ERR_NEVER_LOADED;
    }
    *TblPtr = &Active;
    IsUpdated = 0;
    return WasUpdated ? CFE_TBL_INFO_UPDATED : CFE_SUCCESS;
}

CFE_Status_t CFE_TBL_ReleaseAddress(CFE_TBL_Handle_t TblHandle)
{
    assert(TblHandle == 3);
    return CFE_SUCCESS;
}

#endif

int main(void)
{
    ATTCTL_APP_Main();
    return 0;
}
