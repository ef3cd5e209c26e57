/**
 * Runs `bun test` over the given paths (all of them by default) and closes with one plain line, `N passed, N failed`.
 * With `--e2e` it runs the end-to-end tests on dist/bendre, which must have been built.
 */
const given = process.argv.slice(2);
const endToEnd = [...new Bun.Glob("./test/e2e/*.e2e.ts").scanSync()].sort();
const paths = given.includes("--e2e") ? endToEnd : given;
const run = Bun.spawn([process.execPath, "test", "--isolate", "--timeout", "60000", ...paths], {
  stdout: "pipe",
  stderr: "pipe",
});

let output = "";
async function pass(stream: ReadableStream<Uint8Array>, to: NodeJS.WriteStream): Promise<void> {
  const decoder = new TextDecoder();
  for await (const chunk of stream) {
    const text = decoder.decode(chunk, { stream: true });
    output += text;
    to.write(text);
  }
}
await Promise.all([pass(run.stdout, process.stdout), pass(run.stderr, process.stderr)]);
const exitCode = await run.exited;

const count = (word: string) => Number(new RegExp(`^\\s*(\\d+) ${word}$`, "m").exec(output)?.[1] ?? 0);
const passed = count("pass");
const failed = count("fail") + count("error") + count("errors");
console.log(`${passed} passed, ${failed} failed`);
process.exit(exitCode !== 0 ? exitCode : passed > 0 && failed === 0 ? 0 : 1);
