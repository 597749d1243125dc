// Runs a simulated hub's world in the real MicroPython: orders from standard input, answers to standard output.
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const [, , micropython, name, speed] = process.argv;
const here = path.dirname(fileURLToPath(import.meta.url));
const { loadMicroPython } = await import(pathToFileURL(micropython));
const python = await loadMicroPython({ heapsize: 8 * 1024 * 1024, stdout: (line) => console.error(line) });

function copy(from, to) {
  if (!fs.existsSync(from)) return;
  python.FS.mkdirTree(to);
  for (const file of fs.readdirSync(from)) {
    if (file.endsWith(".py")) python.FS.writeFile(`${to}/${file}`, fs.readFileSync(path.join(from, file)));
  }
}
copy(path.join(here, "micropython"), "/world");
copy(path.join(here, "..", "..", "firmware"), "/world/firmware");

function fail(error) {
  // Not the whole error: node would print the source of the interpreter with it.
  fs.writeSync(2, `${error.message}\n`);
  process.exit(1);
}

try {
  python.runPython("import sys; sys.path.insert(0, '/world')");
  python.globals.set("name", name);
  python.globals.set("quick", speed === "quick");
  python.runPython("from world import World; obey = World(name, quick).obey");
  const obey = python.globals.get("obey");
  const chunk = Buffer.alloc(65536);
  let rest = "";
  for (;;) {
    const count = fs.readSync(0, chunk);
    if (count === 0) break;
    const lines = (rest + chunk.toString("utf8", 0, count)).split("\n");
    rest = lines.pop();
    for (const line of lines) fs.writeSync(1, obey(line) + "\n");
  }
} catch (error) {
  fail(error);
}
