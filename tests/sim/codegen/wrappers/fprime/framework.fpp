# Of F Prime 4: the types and ports that the model of a component needs.
type FwOpcodeType = U32
type FwPrmIdType = U32
type FwChanIdType = U32
type FwEventIdType = U32
type FwIndexType = I16
module Fw {
  type CmdArgBuffer
  type ParamBuffer
  type LogBuffer
  type TlmBuffer
  type Time
  type TextLogString
  enum CmdResponse { OK, INVALID_OPCODE, VALIDATION_ERROR, FORMAT_ERROR, EXECUTION_ERROR, BUSY }
  enum ParamValid { UNINIT, VALID, INVALID, DEFAULT }
  enum LogSeverity { FATAL, WARNING_HI }
  port Cmd(opCode: FwOpcodeType, cmdSeq: U32, ref args: CmdArgBuffer)
  port CmdReg(opCode: FwOpcodeType)

  port CmdResponse(opCode: FwOpcodeType, cmdSeq: U32, response: CmdResponse)
  port Log($id: FwEventIdType, ref timeTag: Fw.Time, $severity: LogSeverity, ref args: LogBuffer)
  port LogText($id: FwEventIdType, ref timeTag: Fw.Time, $severity: LogSeverity, ref $text: TextLogString)
  port Time(ref $time: Fw.Time)
  port Tlm($id: FwChanIdType, ref timeTag: Fw.Time, ref val: Fw.TlmBuffer)
  port PrmGet($id: FwPrmIdType, ref val: ParamBuffer) -> ParamValid
  port PrmSet($id: FwPrmIdType, ref val: ParamBuffer)
}
module Svc { port Sched(context: U32) }
