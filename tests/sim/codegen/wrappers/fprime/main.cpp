// Drives the component by lines on standard input, and says what comes of its ports:
//
//   state NUMBERS, reference NUMBERS, wakeup   calls of its input ports
//   command NAME                               a command
//   param NAME NUMBER                          a parameter is set; with 'silently' before it, before the start
//   load                                       the parameters are loaded
#include <cassert>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "Gnc/AttitudeControl/AttitudeControl.hpp"

namespace {

std::vector<F64> numbersOf(std::istringstream& words) {
    std::vector<F64> numbers;
    std::string word;
    while (words >> word) {
        numbers.push_back(std::strtod(word.c_str(), nullptr));
    }
    return numbers;
}

}  // namespace

int main() {
    Gnc::AttitudeControl component("attitudeControl");
    Gnc::AttitudeControlComponentBase& base = component;
    std::string line;
    while (std::getline(std::cin, line)) {
        std::istringstream words(line);
        std::string word;
        std::string name;
        words >> word;
        if (word == "state") {
            base.stateIn(numbersOf(words));
        } else if (word == "reference") {
            base.referenceIn(numbersOf(words));
        } else if (word == "wakeup") {
            base.schedIn({});
        } else if (word == "command") {
            words >> name;
            base.command(name);
        } else if (word == "param") {
            words >> name;
            base.setParam(name, numbersOf(words).at(0));
        } else if (word == "load") {
            base.loadParameters();
        } else {
            assert(false);
        }
    }
    return 0;
}
