# @about@
# Written by polhode @version@; plant @plant@. SI units and radians; axes, signs and the order of quaternions are in
# @N@_law.h.

module @M@ {

  @ Status of a torque: the codes of the step function of the law, then those of the component
  enum @N@Status {
    @lines statuses@
  }

  @ The state at a sample
  port @N@State(
    sampleTime: F64 @< s, of any clock that does not run backwards
    @lines state_members@
  )

  @ The motion to follow from the next sample
  port @N@Reference(
    @lines reference_members@
  )

  @ The torque command; the torque is zero if the status is not OK
  port @N@Torque(
    sampleTime: F64 @< s, of the state that it answers
    status: @N@Status @< Whether the torque is valid
    @lines torque_members@
  )

  @ @about@
  passive component @N@ {

    # ----------------------------------------------------------------------
    # Ports
    # ----------------------------------------------------------------------

    @ Runs the law once; call it every @sample@ s, after the state of the sample
    guarded input port schedIn: Svc.Sched

    @ The state of the next sample
    guarded input port stateIn: @N@State

    @ The reference, held until the next call
    guarded input port referenceIn: @N@Reference

    @ The torque command, once in each call of schedIn while the law is enabled
    output port torqueOut: @N@Torque

    @ Port for receiving commands
    command recv port cmdIn

    @ Port for registering commands
    command reg port cmdRegOut

    @ Port for responses to commands
    command resp port cmdResponseOut

    @ Port for events
    event port logOut

    @ Port for events as text
    text event port logTextOut

    @ Port for the time of events and telemetry
    time get port timeCaller

    @ Port for telemetry
    telemetry port tlmOut
@if gains@

    @ Port for getting parameters
    param get port prmGetOut

    @ Port for setting parameters
    param set port prmSetOut
@end@

    # ----------------------------------------------------------------------
    # Commands
    # ----------------------------------------------------------------------

    @ Report an event and do nothing else
    guarded command NOOP opcode 0

    @ Set all counters to zero
    guarded command RESET_COUNTERS opcode 1

    @ Restart the law and reply to schedIn
    guarded command ENABLE opcode 2

    @ Send one torque of zero, then none
    guarded command DISABLE opcode 3

    @ Clear the memory of the law and the time of its last sample
    guarded command RESET_LAW opcode 4
@if gains@

    @ Copy the gains from the parameters to the law, all of them or none; its memory is kept
    guarded command APPLY_GAINS opcode 5

    # ----------------------------------------------------------------------
    # Parameters: the gains, which APPLY_GAINS copies to the law together
    # ----------------------------------------------------------------------

    @lines params@
@end@

    # ----------------------------------------------------------------------
    # Events
    # ----------------------------------------------------------------------

    @ NOOP was received
    event Noop severity activity high id 0 format "No operation"

    @ The law was enabled
    event Enabled severity activity high id 1 format "Law enabled"

    @ The law was disabled
    event Disabled severity activity high id 2 format "Law disabled"

    @ The law was restarted
    event LawReset severity activity high id 3 format "Law restarted"

    @ The torque is valid again
    event TorqueValid severity activity high id 4 format "Torque is valid again"

    @ The torque is no longer valid
    event TorqueInvalid(
      status: @N@Status @< Why
    ) severity warning high id 5 format "No valid torque: {}"
@if gains@

    @ A gain was set as a parameter
    event GainSet severity activity low id 6 format "Gain set; APPLY_GAINS puts it into the law"

    @ The gains were copied to the law
    event GainsApplied severity activity high id 7 format "Gains of the parameters are in the law"

    @ The gains were rejected; the law keeps its gains
    event GainsRefused(
      index: I32 @< The number of the first bad gain from 0 on, in the order of the parameters; -1 where one is not known
    ) severity warning high id 8 format "Gain {} is not finite, out of its bound or not known; gains stay as they were"
@end@

    # ----------------------------------------------------------------------
    # Telemetry
    # ----------------------------------------------------------------------

    @ Status of the last torque
    telemetry LawStatus: @N@Status
    @lines torque_channels@

    @ Calls of schedIn
    telemetry Wakeups: U32

    @ Torques with status OK
    telemetry Steps: U32

    @ Torques with another status
    telemetry StepErrors: U32

  }

}
