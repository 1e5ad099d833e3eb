// Of F Prime 4: the types and the base class that a component needs.
#ifndef FW_HPP
#define FW_HPP

#include <cstdint>
#include <cstdio>
#include <map>
#include <string>

using I8 = std::int8_t;
using I16 = std::int16_t;
using I32 = std::int32_t;
using U8 = std::uint8_t;
using U16 = std::uint16_t;
using U32 = std::uint32_t;
using F32 = float;
using F64 = double;
using FwIndexType = I16;
using FwOpcodeType = U32;
using FwPrmIdType = U32;

namespace Fw {

class CmdResponse {
  public:
    enum T { OK = 0, INVALID_OPCODE = 1, VALIDATION_ERROR = 2, FORMAT_ERROR = 3, EXECUTION_ERROR = 4, BUSY = 5 };
    CmdResponse(const enum T e1) : e(e1) {}
    operator T() const { return this->e; }
    enum T e;
};

class ParamValid {
  public:
    enum T { UNINIT = 0, VALID = 1, INVALID = 2, DEFAULT = 3 };
    ParamValid() : e(UNINIT) {}
    ParamValid(const enum T e1) : e(e1) {}
    operator T() const { return this->e; }
    bool operator==(T e1) const { return this->e == e1; }
    bool operator!=(T e1) const { return this->e != e1; }
    enum T e;
};

class PassiveComponentBase {
  public:
    virtual ~PassiveComponentBase() {}

  protected:
    explicit PassiveComponentBase(const char* name) { static_cast<void>(name); }
};

}  // namespace Fw

#endif
