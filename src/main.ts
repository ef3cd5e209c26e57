import { runCli } from "./cli/cli.ts";
import { systemIo } from "./cli/io.ts";

// Set rather than exited with, so that output waiting in a pipe is still written.
process.exitCode = await runCli(process.argv.slice(2), systemIo);
