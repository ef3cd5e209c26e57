import { runCli } from "./cli/cli.ts";
import { systemIo } from "./cli/terminal.ts";
import { errorText } from "./core/log.ts";

// Whatever this process writes is its owner's alone.
process.umask(0o077);

// A reader that stops reading, such as `head`, is no error.
process.stdout.on("error", (error) => {
  if ("code" in error && error.code === "EPIPE") process.exit();
  process.stderr.write(`bendre: the answer could not be written: ${errorText(error)}\n`);
  process.exit(1);
});

// A log on a full disk, or whose reader has gone, loses lines and nothing else: without this each lost line would be an
// error that is logged in its turn, for ever, and no signal would be heard.
process.stderr.on("error", () => {});

const exitCode = await runCli(process.argv.slice(2), systemIo);
// Output that waits in a pipe is still written; a timer that an appliance of the demo left behind is not waited for.
process.stdout.write("", () => process.stderr.write("", () => process.exit(exitCode)));
