// A Pico on standard input and output: MicroPython's prompt until it is reset, then the firmware that was copied to it,
// on simulated chips, until its host says `leave`.
//   node pico_in_node.mjs micropython.mjs hardware/simulated/micropython
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [, , interpreter, chips] = process.argv;
const { loadMicroPython } = await import(pathToFileURL(interpreter));
const python = await loadMicroPython({
  heapsize: 8 * 1024 * 1024,
  linebuffer: false,
  stdout: (data) => fs.writeSync(1, data),
});

python.FS.mkdir("/chips");
for (const file of fs.readdirSync(chips).filter((name) => name.endsWith(".py"))) {
  python.FS.writeFile(`/chips/${file}`, fs.readFileSync(path.join(chips, file)));
}
// The numbers of errors are this port's own; a Pico's are told instead.
python.runPython(`
import os, sys
sys.path[:] = ["/", "/chips"]
import machine
machine.resets = 0
def reset():
    machine.resets += 1
machine.reset = reset
def on_a_pico(call):
    def called(*arguments):
        try:
            return call(*arguments)
        except OSError as error:
            raise OSError({44: 2, 20: 17}.get(error.errno, error.errno))
    return called
os.stat, os.mkdir = on_a_pico(os.stat), on_a_pico(os.mkdir)
import builtins
builtins.open = on_a_pico(open)
`);

let obey = null;
let inbox = Buffer.alloc(0);

function prompt(data) {
  // This port's prompt cannot take a paste in windows, as a Pico's can; to say so is part of its protocol.
  data
    .toString("latin1")
    .split("\x05A\x01")
    .forEach((part, index) => {
      if (index > 0) fs.writeSync(1, "R\x00");
      for (const letter of part) python.replProcessChar(letter.charCodeAt(0));
    });
  if (python.pyimport("machine").resets > 0) {
    python.runPython("import machine; machine.resets = 0; from world import World; obey = World('pico').obey");
    obey = python.globals.get("obey");
  }
}

function step() {
  if (obey === null) return;
  const order = JSON.stringify({ until: Date.now() - started, in: inbox.toString("hex") });
  inbox = Buffer.alloc(0);
  const { out, running } = JSON.parse(obey(order));
  fs.writeSync(1, Buffer.from(out, "hex"));
  if (!running) obey = null;
}

const started = Date.now();
python.replInit();
process.stdin.on("data", (data) => {
  if (obey === null) prompt(data);
  else inbox = Buffer.concat([inbox, data]);
});
process.stdin.on("end", () => process.exit());
setInterval(step, 5);
