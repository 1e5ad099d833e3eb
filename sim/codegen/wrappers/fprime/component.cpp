// The component @M@::@N@: it calls the law in @N@_law.c in each call of schedIn.
// @about@
// Written by polhode @version@; plant @plant@.

#include "@M@/@N@/@N@.hpp"

namespace @M@ {
@if gains@

namespace {

bool isKnown(const Fw::ParamValid& valid) {
    return valid == Fw::ParamValid::VALID || valid == Fw::ParamValid::DEFAULT;
}

}  // namespace
@end@

@N@ ::@N@(const char* const compName)
    : @N@ComponentBase(compName),
      m_enabled(false),
      m_stateIsNew(false),
      m_referenceIsKnown(false),
      m_status(@N@Status::DISABLED),
      m_wakeups(0),
      m_steps(0),
      m_stepErrors(0),
      m_sampleTime(0.0),
      m_state(),
      m_reference(),
@if gains@
      m_parameters(),
@end@
      m_law() {
@if gains@
    @N@_law_defaults(&this->m_parameters);
@end@
    @N@_law_init(&this->m_law);
}

@N@ ::~@N@() {}

void @N@ ::schedIn_handler(FwIndexType portNum, U32 context) {
    static_cast<void>(portNum);
    static_cast<void>(context);
    @real@ torque[@U@_LAW_WRITES] = {};
    @N@Status::T status = @N@Status::OK;
    const bool stateIsNew = this->m_stateIsNew;

    this->m_stateIsNew = false;  // also while disabled, so that no old state is used afterwards
    this->m_wakeups++;
    this->tlmWrite_Wakeups(this->m_wakeups);
    if (!this->m_enabled) {
        return;
    }
    if (!stateIsNew) {
        status = @N@Status::NO_STATE;
    } else if (!this->m_referenceIsKnown) {
        status = @N@Status::NO_REFERENCE;
    } else {
        status = static_cast<@N@Status::T>(@N@_law_step(&this->m_law,@parameters@ static_cast<@real@>(this->m_sampleTime),
                                                        this->m_state, this->m_reference, torque));
        if (status == @N@Status::BAD_ANSWER) {
            @N@_law_init(&this->m_law);
        }
    }
    if (status == @N@Status::OK) {
        this->m_steps++;
    } else {
        this->m_stepErrors++;
    }
    if (status != this->m_status) {  // once, not in each call
        if (status == @N@Status::OK) {
            this->log_ACTIVITY_HI_TorqueValid();
        } else {
            this->log_WARNING_HI_TorqueInvalid(status);
        }
    }
    this->tlmWrite_Steps(this->m_steps);
    this->tlmWrite_StepErrors(this->m_stepErrors);
    this->sendTorque(status, torque);
}

void @N@ ::stateIn_handler(
    FwIndexType portNum,
    F64 sampleTime,
    @lines state_arguments@
    static_cast<void>(portNum);
    this->m_sampleTime = sampleTime;
    @lines state_copies@
    this->m_stateIsNew = true;
}

void @N@ ::referenceIn_handler(
    FwIndexType portNum,
    @lines reference_arguments@
    static_cast<void>(portNum);
    @lines reference_copies@
    this->m_referenceIsKnown = true;
}

void @N@ ::NOOP_cmdHandler(FwOpcodeType opCode, U32 cmdSeq) {
    this->log_ACTIVITY_HI_Noop();
    this->cmdResponse_out(opCode, cmdSeq, Fw::CmdResponse::OK);
}

void @N@ ::RESET_COUNTERS_cmdHandler(FwOpcodeType opCode, U32 cmdSeq) {
    this->m_wakeups = 0;
    this->m_steps = 0;
    this->m_stepErrors = 0;
    this->tlmWrite_Wakeups(this->m_wakeups);
    this->tlmWrite_Steps(this->m_steps);
    this->tlmWrite_StepErrors(this->m_stepErrors);
    this->cmdResponse_out(opCode, cmdSeq, Fw::CmdResponse::OK);
}

void @N@ ::ENABLE_cmdHandler(FwOpcodeType opCode, U32 cmdSeq) {
    if (!this->m_enabled) {
        @N@_law_init(&this->m_law);
        this->m_enabled = true;
        this->m_status = @N@Status::OK;
    }
    this->log_ACTIVITY_HI_Enabled();
    this->cmdResponse_out(opCode, cmdSeq, Fw::CmdResponse::OK);
}

void @N@ ::DISABLE_cmdHandler(FwOpcodeType opCode, U32 cmdSeq) {
    if (this->m_enabled) {
        const @real@ torque[@U@_LAW_WRITES] = {};
        this->m_enabled = false;
        this->sendTorque(@N@Status::DISABLED, torque);  // so that no torque stays in force
    }
    this->log_ACTIVITY_HI_Disabled();
    this->cmdResponse_out(opCode, cmdSeq, Fw::CmdResponse::OK);
}

void @N@ ::RESET_LAW_cmdHandler(FwOpcodeType opCode, U32 cmdSeq) {
    @N@_law_init(&this->m_law);
    this->log_ACTIVITY_HI_LawReset();
    this->cmdResponse_out(opCode, cmdSeq, Fw::CmdResponse::OK);
}
@if gains@

void @N@ ::APPLY_GAINS_cmdHandler(FwOpcodeType opCode, U32 cmdSeq) {
    const bool applied = this->applyGains();
    this->cmdResponse_out(opCode, cmdSeq, applied ? Fw::CmdResponse::OK : Fw::CmdResponse::VALIDATION_ERROR);
}

void @N@ ::parametersLoaded() {
    static_cast<void>(this->applyGains());
}

void @N@ ::parameterUpdated(FwPrmIdType id) {
    static_cast<void>(id);
    this->log_ACTIVITY_LO_GainSet();
}

bool @N@ ::applyGains() {
    @real@ gains[@U@_LAW_GAINS] = {};
    Fw::ParamValid valid = Fw::ParamValid::INVALID;
    bool allKnown = true;

    @lines gain_reads@
    const I32 bad = allKnown ? static_cast<I32>(@N@_law_bad_gain(gains)) : -1;
    if (!allKnown || @N@_law_tune(&this->m_parameters, gains) != @U@_LAW_DONE) {
        this->log_WARNING_HI_GainsRefused(bad);
        return false;
    }
    this->log_ACTIVITY_HI_GainsApplied();
    return true;
}
@end@

void @N@ ::sendTorque(@N@Status::T status, const @real@ torque[@U@_LAW_WRITES]) {
    this->m_status = status;
    this->tlmWrite_LawStatus(status);
    @lines torque_writes@
    if (this->isConnected_torqueOut_OutputPort(0)) {
        this->torqueOut_out(
            0,
            this->m_sampleTime,
            status,
            @lines torque_values@
    }
}

}  // namespace @M@
