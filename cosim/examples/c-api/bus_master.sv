// SPDX-License-Identifier: MIT
// A bus master in RTL whose virtual addresses Walkway translates, by DPI: one request a cycle while fewer than four are
// under way, answers when they are due. Every eighth page is not mapped.
//
//     $ verilator --binary --timing -j 1 --top-module bus_master bus_master.sv translate_dpi.cpp \
//         -CFLAGS "$(pkg-config --cflags walkway)" -LDFLAGS "$(pkg-config --libs walkway)" && obj_dir/Vbus_master
module bus_master;
    timeunit 1ps;
    timeprecision 1ps;
    localparam int BEATS = 256, OUTSTANDING = 4, PERIOD_PS = 500;

    import "DPI-C" function int  translate_open(input string platform);
    import "DPI-C" function void translate_submit(input longint va, input int tag);
    import "DPI-C" function int  translate_poll(output int tag, output longint pa);
    import "DPI-C" function void translate_clock(input longint ps);
    import "DPI-C" function void translate_close();

    bit clk = 0;
    always #(PERIOD_PS / 2) clk = !clk;

    // Request: an address a cycle, four beats to a page.
    int requested = 0, answered = 0, faults = 0, cycles = 0;
    wire bit request = requested < BEATS && requested - answered < OUTSTANDING;
    function automatic longint address(int beat);
        return longint'(beat) << 10;
    endfunction

    initial if (translate_open("apu-micro18") != 0) $fatal(1, "no machine");

    always @(posedge clk) begin
        automatic int tag, status;
        automatic longint pa;
        cycles <= cycles + 1;
        translate_clock(longint'(PERIOD_PS));
        if (request) begin
            translate_submit(address(requested), requested);
            requested <= requested + 1;
        end
        status = translate_poll(tag, pa);
        case (status)
            0: begin
                if (pa != address(tag) + 64'h4000_0000) $fatal(1, "beat %0d went to %h", tag, pa);
                answered <= answered + 1;
            end
            1: begin
                if (tag / 4 % 8 != 7) $fatal(1, "beat %0d faulted", tag);
                faults <= faults + 1;
                answered <= answered + 1;
            end
            default: ;
        endcase
        if (answered == BEATS) begin
            $display("%0d beats, %0d faults, %0d cycles", answered, faults, cycles);
            translate_close();
            $finish;
        end
    end
endmodule
