// The component @M@::@N@: it calls the law in @N@_law.c in each call of schedIn.
#ifndef @M@_@N@_HPP
#define @M@_@N@_HPP

#include "@M@/@N@/@N@ComponentAc.hpp"
#include "@M@/@N@/@N@_law.h"

namespace @M@ {

class @N@ final : public @N@ComponentBase {
  public:
    //! Construct the component, disabled
    explicit @N@(const char* const compName  //!< The component name
    );

    //! Destroy the component
    ~@N@() override;

  private:
    //! Run the law once
    void schedIn_handler(FwIndexType portNum, U32 context) override;

    //! Receive the state of the next sample
    void stateIn_handler(
        FwIndexType portNum,
        F64 sampleTime,
        @lines state_declared@

    //! Receive the reference
    void referenceIn_handler(
        FwIndexType portNum,
        @lines reference_declared@

    void NOOP_cmdHandler(FwOpcodeType opCode, U32 cmdSeq) override;
    void RESET_COUNTERS_cmdHandler(FwOpcodeType opCode, U32 cmdSeq) override;
    void ENABLE_cmdHandler(FwOpcodeType opCode, U32 cmdSeq) override;
    void DISABLE_cmdHandler(FwOpcodeType opCode, U32 cmdSeq) override;
    void RESET_LAW_cmdHandler(FwOpcodeType opCode, U32 cmdSeq) override;
@if gains@
    void APPLY_GAINS_cmdHandler(FwOpcodeType opCode, U32 cmdSeq) override;

    //! Put the gains of the parameters into the law when they are loaded at the start
    void parametersLoaded() override;

    //! Report that a gain was set
    void parameterUpdated(FwPrmIdType id) override;

    //! Put the gains of the parameters into the law; false, and the law as it was, where one is wrong
    bool applyGains();
@end@

    //! Send a torque and the telemetry of it
    void sendTorque(@N@Status::T status, const @real@ torque[@U@_LAW_WRITES]);

    bool m_enabled;
    bool m_stateIsNew;  //!< since the last call of schedIn
    bool m_referenceIsKnown;
    @N@Status::T m_status;  //!< of the last torque
    U32 m_wakeups;
    U32 m_steps;
    U32 m_stepErrors;
    F64 m_sampleTime;
    @real@ m_state[@U@_LAW_READS];
    @real@ m_reference[10];
@if gains@
    @N@_law_parameters m_parameters;
@end@
    @N@_law_state m_law;
};

}  // namespace @M@

#endif
