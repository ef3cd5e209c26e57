/** The one command: types, lint and format, then every test; closes with `N passed, N failed`. */
const steps: readonly (readonly [name: string, command: readonly string[]])[] = [
  ["types", [process.execPath, "check", "--no-script"]],
  ["lint and format", [process.execPath, "scripts/lint.ts"]],
  ["tests", [process.execPath, "scripts/test.ts"]],
];

for (const [name, command] of steps) {
  console.log(`== ${name}`);
  const run = Bun.spawnSync([...command], { stdout: "inherit", stderr: "inherit" });
  if (run.exitCode !== 0) {
    console.error(`== ${name} failed`);
    process.exit(1);
  }
}
