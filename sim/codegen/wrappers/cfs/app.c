/* Application @U@ of the core Flight System, which calls the law in @n@_law.c at each wake-up.
 *
 * @lines about@
 */
#include "@n@_app.h"

#include <string.h>

@U@_AppData_t @U@_AppData;

static void @U@_SendTorque(uint32 Status, const @real@ Torque[@U@_LAW_WRITES])
{
    @U@_Torque_Payload_t *Payload = &@U@_AppData.Torque.Payload;

    Payload->SampleTime = @U@_AppData.SampleTime;
    @lines torque_copies@
    Payload->Status = Status;
    CFE_SB_TimeStampMsg(CFE_MSG_PTR(@U@_AppData.Torque.TelemetryHeader));
    CFE_SB_TransmitMsg(CFE_MSG_PTR(@U@_AppData.Torque.TelemetryHeader), true);
}

static void @U@_NoteStatus(uint32 Status)
{
    if (Status == @U@_STATUS_OK)
    {
        @U@_AppData.HkTlm.Payload.StepCounter++;
    }
    else
    {
        @U@_AppData.HkTlm.Payload.StepErrorCounter++;
    }
    if (Status != @U@_AppData.Status) /* once, not at each wake-up */
    {
        if (Status == @U@_STATUS_OK)
        {
            CFE_EVS_SendEvent(@U@_STATUS_INF_EID, CFE_EVS_EventType_INFORMATION, "@U@: torque is valid again");
        }
        else
        {
            CFE_EVS_SendEvent(@U@_STATUS_ERR_EID, CFE_EVS_EventType_ERROR, "@U@: no valid torque, status = %u",
                              (unsigned int)Status);
        }
        @U@_AppData.Status = Status;
    }
}

static void @U@_Wakeup(void)
{
    @real@ Torque[@U@_LAW_WRITES] = {0};
    uint32 Status;
    const bool StateIsNew = @U@_AppData.StateIsNew;

    @U@_AppData.HkTlm.Payload.WakeupCounter++;
    @U@_AppData.StateIsNew = false; /* also while disabled, so that no old state is used afterwards */
    if (!@U@_AppData.Enabled)
    {
        return;
    }
    if (!StateIsNew)
    {
        Status = @U@_STATUS_NO_STATE;
    }
    else if (!@U@_AppData.ReferenceIsKnown)
    {
        Status = @U@_STATUS_NO_REFERENCE;
    }
    else
    {
        Status = (uint32)@n@_law_step(&@U@_AppData.Law,@parameters@ (@real@)@U@_AppData.SampleTime,
                                      @U@_AppData.State, @U@_AppData.Reference, Torque);
        if (Status == @U@_STATUS_BAD_ANSWER)
        {
            @n@_law_init(&@U@_AppData.Law);
        }
    }
    @U@_NoteStatus(Status);
    @U@_SendTorque(Status, Torque);
}

static void @U@_ReceiveState(const @U@_State_Payload_t *Payload)
{
    @U@_AppData.SampleTime = Payload->SampleTime;
    @lines state_copies@
    @U@_AppData.StateIsNew = true;
}

static void @U@_ReceiveReference(const @U@_Reference_Payload_t *Payload)
{
    @lines reference_copies@
    @U@_AppData.ReferenceIsKnown = true;
}
@if gains@

static void @U@_GainsOf(const @U@_Table_t *Table, @real@ Gains[@U@_LAW_GAINS])
{
    @lines gain_copies@
}

/* Check a table before it replaces the one in use. */
int32 @U@_ValidateTable(void *TblData)
{
    static const char *const Names[@U@_LAW_GAINS] = {
        @lines gain_names@
    };
    const @U@_Table_t *Table = TblData;
    @real@ Gains[@U@_LAW_GAINS];
    int Bad;

    if (Table->Layout != @U@_TABLE_LAYOUT || Table->Count != @U@_LAW_GAINS)
    {
        @U@_AppData.HkTlm.Payload.TableErrorCounter++;
        CFE_EVS_SendEvent(@U@_TBL_LAYOUT_ERR_EID, CFE_EVS_EventType_ERROR,
                          "@U@: table refused, layout = 0x%08X with %u gains, expected 0x%08X with %u",
                          (unsigned int)Table->Layout, (unsigned int)Table->Count, (unsigned int)@U@_TABLE_LAYOUT,
                          (unsigned int)@U@_LAW_GAINS);
        return @U@_TABLE_ERROR;
    }
    @U@_GainsOf(Table, Gains);
    Bad = @n@_law_bad_gain(Gains);
    if (Bad >= 0)
    {
        @U@_AppData.HkTlm.Payload.TableErrorCounter++;
        CFE_EVS_SendEvent(@U@_TBL_GAIN_ERR_EID, CFE_EVS_EventType_ERROR,
                          "@U@: table refused, gain %.40s is not finite or violates its bound", Names[Bad]);
        return @U@_TABLE_ERROR;
    }
    return CFE_SUCCESS;
}

/* Copy the gains of the table in use to the law. */
static void @U@_UseTable(void)
{
    void *Address = NULL;
    @real@ Gains[@U@_LAW_GAINS];
    CFE_Status_t Status = CFE_TBL_GetAddress(&Address, @U@_AppData.TableHandle);

    if (Status < CFE_SUCCESS)
    {
        CFE_EVS_SendEvent(@U@_TBL_LOAD_ERR_EID, CFE_EVS_EventType_ERROR,
                          "@U@: gains stay as they are, no table address, RC = 0x%08X", (unsigned int)Status);
        return;
    }
    @U@_GainsOf((const @U@_Table_t *)Address, Gains);
    if (@n@_law_tune(&@U@_AppData.Parameters, Gains) == @U@_LAW_DONE)
    {
        @U@_AppData.HkTlm.Payload.TableCounter++;
        CFE_EVS_SendEvent(@U@_TBL_INF_EID, CFE_EVS_EventType_INFORMATION, "@U@: %u gains taken from the table",
                          (unsigned int)@U@_LAW_GAINS);
    }
    CFE_TBL_ReleaseAddress(@U@_AppData.TableHandle);
}
@end@

static void @U@_SendHk(void)
{
    @U@_HkTlm_Payload_t *Payload = &@U@_AppData.HkTlm.Payload;

@if gains@
    if (CFE_TBL_Manage(@U@_AppData.TableHandle) == CFE_TBL_INFO_UPDATED)
    {
        @U@_UseTable();
    }
@end@
    Payload->SampleTime = @U@_AppData.Torque.Payload.SampleTime;
    @lines hk_copies@
    Payload->Enabled = @U@_AppData.Enabled;
    Payload->Status = (uint8)@U@_AppData.Status;
    CFE_SB_TimeStampMsg(CFE_MSG_PTR(@U@_AppData.HkTlm.TelemetryHeader));
    CFE_SB_TransmitMsg(CFE_MSG_PTR(@U@_AppData.HkTlm.TelemetryHeader), true);
}

static bool @U@_LengthIs(const CFE_MSG_Message_t *MsgPtr, size_t Expected)
{
    CFE_SB_MsgId_t MsgId = CFE_SB_INVALID_MSG_ID;
    CFE_MSG_Size_t Actual = 0;

    CFE_MSG_GetSize(MsgPtr, &Actual);
    if (Actual == Expected)
    {
        return true;
    }
    CFE_MSG_GetMsgId(MsgPtr, &MsgId);
    CFE_EVS_SendEvent(@U@_LEN_ERR_EID, CFE_EVS_EventType_ERROR,
                      "@U@: message refused, MID = 0x%X, length = %u, expected = %u",
                      (unsigned int)CFE_SB_MsgIdToValue(MsgId), (unsigned int)Actual, (unsigned int)Expected);
    return false;
}

static bool @U@_DataLengthIs(const CFE_MSG_Message_t *MsgPtr, size_t Expected)
{
    if (!@U@_LengthIs(MsgPtr, Expected))
    {
        @U@_AppData.HkTlm.Payload.LengthErrorCounter++;
        return false;
    }
    return true;
}

static void @U@_ResetCounters(void)
{
    @U@_HkTlm_Payload_t *Payload = &@U@_AppData.HkTlm.Payload;

    Payload->WakeupCounter = 0;
    Payload->StepCounter = 0;
    Payload->StepErrorCounter = 0;
    Payload->LengthErrorCounter = 0;
    Payload->TableCounter = 0;
    Payload->TableErrorCounter = 0;
    Payload->CommandCounter = 0;
    Payload->CommandErrorCounter = 0;
    CFE_EVS_SendEvent(@U@_RESET_INF_EID, CFE_EVS_EventType_INFORMATION, "@U@: counters reset");
}

static void @U@_Disable(void)
{
    const @real@ Torque[@U@_LAW_WRITES] = {0};

    if (@U@_AppData.Enabled)
    {
        @U@_AppData.Enabled = false;
        @U@_SendTorque(@U@_STATUS_DISABLED, Torque); /* so that no torque stays in force */
    }
    @U@_AppData.Status = @U@_STATUS_DISABLED;
    CFE_EVS_SendEvent(@U@_DISABLE_INF_EID, CFE_EVS_EventType_INFORMATION, "@U@: disabled");
}

static void @U@_ProcessCommand(const CFE_MSG_Message_t *MsgPtr)
{
    CFE_MSG_FcnCode_t Code = 0;
    @U@_HkTlm_Payload_t *Payload = &@U@_AppData.HkTlm.Payload;

    CFE_MSG_GetFcnCode(MsgPtr, &Code);
    if (Code > @U@_RESET_LAW_CC)
    {
        Payload->CommandErrorCounter++;
        CFE_EVS_SendEvent(@U@_CC_ERR_EID, CFE_EVS_EventType_ERROR, "@U@: no such command, CC = %u", (unsigned int)Code);
        return;
    }
    if (!@U@_LengthIs(MsgPtr, sizeof(@U@_NoArgsCmd_t)))
    {
        Payload->CommandErrorCounter++;
        return;
    }
    Payload->CommandCounter++;
    switch (Code)
    {
        case @U@_NOOP_CC:
            CFE_EVS_SendEvent(@U@_NOOP_INF_EID, CFE_EVS_EventType_INFORMATION,
                              "@U@: NOOP, law of plant %s, polhode %s", @U@_LAW_PLANT, @U@_LAW_VERSION);
            break;
        case @U@_RESET_COUNTERS_CC:
            @U@_ResetCounters();
            break;
        case @U@_ENABLE_CC:
            if (!@U@_AppData.Enabled)
            {
                @n@_law_init(&@U@_AppData.Law);
                @U@_AppData.Enabled = true;
                @U@_AppData.Status = @U@_STATUS_OK;
            }
            CFE_EVS_SendEvent(@U@_ENABLE_INF_EID, CFE_EVS_EventType_INFORMATION, "@U@: enabled");
            break;
        case @U@_DISABLE_CC:
            @U@_Disable();
            break;
        default:
            @n@_law_init(&@U@_AppData.Law);
            CFE_EVS_SendEvent(@U@_RESET_LAW_INF_EID, CFE_EVS_EventType_INFORMATION, "@U@: law restarted");
            break;
    }
}

void @U@_TaskPipe(const CFE_SB_Buffer_t *SBBufPtr)
{
    CFE_SB_MsgId_t MsgId = CFE_SB_INVALID_MSG_ID;

    CFE_MSG_GetMsgId(&SBBufPtr->Msg, &MsgId);
    switch (CFE_SB_MsgIdToValue(MsgId))
    {
        case @U@_STATE_MID:
            if (@U@_DataLengthIs(&SBBufPtr->Msg, sizeof(@U@_State_t)))
            {
                @U@_ReceiveState(&((const @U@_State_t *)SBBufPtr)->Payload);
            }
            break;
        case @U@_REFERENCE_MID:
            if (@U@_DataLengthIs(&SBBufPtr->Msg, sizeof(@U@_Reference_t)))
            {
                @U@_ReceiveReference(&((const @U@_Reference_t *)SBBufPtr)->Payload);
            }
            break;
        case @U@_WAKEUP_MID:
            if (@U@_DataLengthIs(&SBBufPtr->Msg, sizeof(@U@_NoArgsCmd_t)))
            {
                @U@_Wakeup();
            }
            break;
        case @U@_SEND_HK_MID:
            if (@U@_DataLengthIs(&SBBufPtr->Msg, sizeof(@U@_NoArgsCmd_t)))
            {
                @U@_SendHk();
            }
            break;
        case @U@_CMD_MID:
            @U@_ProcessCommand(&SBBufPtr->Msg);
            break;
        default:
            @U@_AppData.HkTlm.Payload.CommandErrorCounter++;
            CFE_EVS_SendEvent(@U@_MID_ERR_EID, CFE_EVS_EventType_ERROR, "@U@: no such message, MID = 0x%X",
                              (unsigned int)CFE_SB_MsgIdToValue(MsgId));
            break;
    }
}

static CFE_Status_t @U@_Subscribe(void)
{
    static const CFE_SB_MsgId_Atom_t Ids[] = {@U@_CMD_MID, @U@_SEND_HK_MID, @U@_WAKEUP_MID, @U@_STATE_MID,
                                              @U@_REFERENCE_MID};
    CFE_Status_t Status = CFE_SB_CreatePipe(&@U@_AppData.CommandPipe, @U@_PIPE_DEPTH, @U@_PIPE_NAME);
    size_t n;

    for (n = 0; n < sizeof(Ids) / sizeof(Ids[0]) && Status == CFE_SUCCESS; n++)
    {
        Status = CFE_SB_Subscribe(CFE_SB_ValueToMsgId(Ids[n]), @U@_AppData.CommandPipe);
    }
    return Status;
}
@if gains@

/* Load the table of gains; without a table the law keeps the gains of the export. */
static CFE_Status_t @U@_InitTable(void)
{
    CFE_Status_t Status;

    @n@_law_defaults(&@U@_AppData.Parameters);
    Status = CFE_TBL_Register(&@U@_AppData.TableHandle, @U@_TABLE_NAME, sizeof(@U@_Table_t), CFE_TBL_OPT_DEFAULT,
                              @U@_ValidateTable);
    if (Status < CFE_SUCCESS)
    {
        return Status;
    }
    Status = CFE_TBL_Load(@U@_AppData.TableHandle, CFE_TBL_SRC_FILE, @U@_TABLE_FILE);
    if (Status < CFE_SUCCESS)
    {
        CFE_EVS_SendEvent(@U@_TBL_LOAD_ERR_EID, CFE_EVS_EventType_ERROR,
                          "@U@: the law keeps the gains of its export, %s is not loaded, RC = 0x%08X", @U@_TABLE_FILE,
                          (unsigned int)Status);
    }
    else
    {
        @U@_UseTable();
    }
    return CFE_SUCCESS;
}
@end@

CFE_Status_t @U@_Init(void)
{
    CFE_Status_t Status;

    memset(&@U@_AppData, 0, sizeof(@U@_AppData));
    @U@_AppData.RunStatus = CFE_ES_RunStatus_APP_RUN;
    @U@_AppData.Status = @U@_STATUS_DISABLED;
    @n@_law_init(&@U@_AppData.Law);
    Status = CFE_EVS_Register(NULL, 0, CFE_EVS_EventFilter_BINARY);
    if (Status != CFE_SUCCESS)
    {
        CFE_ES_WriteToSysLog("@U@: events cannot be registered, RC = 0x%08X\n", (unsigned int)Status);
        return Status;
    }
    CFE_MSG_Init(CFE_MSG_PTR(@U@_AppData.HkTlm.TelemetryHeader), CFE_SB_ValueToMsgId(@U@_HK_TLM_MID),
                 sizeof(@U@_AppData.HkTlm));
    CFE_MSG_Init(CFE_MSG_PTR(@U@_AppData.Torque.TelemetryHeader), CFE_SB_ValueToMsgId(@U@_TORQUE_MID),
                 sizeof(@U@_AppData.Torque));
    Status = @U@_Subscribe();
    if (Status != CFE_SUCCESS)
    {
        CFE_ES_WriteToSysLog("@U@: messages cannot be subscribed to, RC = 0x%08X\n", (unsigned int)Status);
        return Status;
    }
@if gains@
    Status = @U@_InitTable();
    if (Status != CFE_SUCCESS)
    {
        CFE_ES_WriteToSysLog("@U@: the table cannot be registered, RC = 0x%08X\n", (unsigned int)Status);
        return Status;
    }
@end@
    CFE_EVS_SendEvent(@U@_STARTUP_INF_EID, CFE_EVS_EventType_INFORMATION,
                      "@U@: started, disabled until ENABLE; law of plant %s, polhode %s", @U@_LAW_PLANT,
                      @U@_LAW_VERSION);
    return CFE_SUCCESS;
}

void @U@_APP_Main(void)
{
    CFE_Status_t Status;
    CFE_SB_Buffer_t *SBBufPtr = NULL;

    CFE_ES_PerfLogEntry(@U@_APP_PERF_ID);
    if (@U@_Init() != CFE_SUCCESS)
    {
        @U@_AppData.RunStatus = CFE_ES_RunStatus_APP_ERROR;
    }
    while (CFE_ES_RunLoop(&@U@_AppData.RunStatus) == true)
    {
        CFE_ES_PerfLogExit(@U@_APP_PERF_ID);
        Status = CFE_SB_ReceiveBuffer(&SBBufPtr, @U@_AppData.CommandPipe, CFE_SB_PEND_FOREVER);
        CFE_ES_PerfLogEntry(@U@_APP_PERF_ID);
        if (Status == CFE_SUCCESS)
        {
            @U@_TaskPipe(SBBufPtr);
        }
        else
        {
            CFE_EVS_SendEvent(@U@_PIPE_ERR_EID, CFE_EVS_EventType_ERROR,
                              "@U@: the pipe cannot be read, the application ends, RC = 0x%08X",
                              (unsigned int)Status);
            @U@_AppData.RunStatus = CFE_ES_RunStatus_APP_ERROR;
        }
    }
    CFE_ES_PerfLogExit(@U@_APP_PERF_ID);
    CFE_ES_ExitApp(@U@_AppData.RunStatus);
}
