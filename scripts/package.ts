/**
 * Packages of this commit in dist/packages: a .deb and a .tar.gz for x64 and arm64, a list of what is inside (CycloneDX), checksums.
 * The same commit gives the same files: names in order, times of the commit. `bun run package`; `--arch x64` for one of them.
 *
 * The runtime of the other kind of machine is fetched by npm, and held to the digest in the lock file. A machine without dpkg-deb
 * makes no .deb.
 */
import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { $ } from "bun";
import packageFile from "../package.json" with { type: "json" };
import { sysusersText, unitText } from "../src/ops/install/install.ts";
import { debianPackage } from "./package/debian.ts";
import { cycloneDx, ingredients, licencesText } from "./package/inventory.ts";

const KINDS = [
  { arch: "x64", debian: "amd64", runtime: "@oven/bun-linux-x64" },
  { arch: "arm64", debian: "arm64", runtime: "@oven/bun-linux-aarch64" },
] as const;
type Kind = (typeof KINDS)[number];

const root = resolve(import.meta.dir, "..");
const out = join(root, "dist/packages");
const scratch = join(root, "dist/packages.scratch");
const only = process.argv[process.argv.indexOf("--arch") + 1];
const { version } = packageFile;
const epoch = Number(await $`git log -1 --format=%ct`.cwd(root).text());
const inside = ingredients(root);
const licences = licencesText(inside);
const example = readFileSync(join(root, "config.example.toml"), "utf8");

for (const directory of [out, scratch]) {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
}
for (const kind of KINDS.filter(({ arch }) => !process.argv.includes("--arch") || arch === only)) {
  const runtime = await runtimeFor(kind);
  if (runtime === null) {
    console.error(`no package for ${kind.arch}: its runtime, ${kind.runtime}, cannot be had here`);
    process.exitCode = 1;
    continue;
  }
  await packagesFor(kind, runtime);
}
writeFileSync(
  join(out, `bendre-${version}.cdx.json`),
  cycloneDx(inside, version, new Date(epoch * 1000).toISOString()),
);
const files = readdirSync(out).sort();
const sums = files.map(
  (name) =>
    `${createHash("sha256")
      .update(readFileSync(join(out, name)))
      .digest("hex")}  ${name}\n`,
);
writeFileSync(join(out, "SHA256SUMS"), sums.join(""));
rmSync(scratch, { recursive: true });
process.stdout.write(sums.join(""));

/** The executable of the runtime for a kind of machine; null where it cannot be had. */
async function runtimeFor({ arch, runtime }: Kind): Promise<string | null> {
  if (arch === process.arch) return process.execPath;
  const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const { version: of, integrity } = lock.packages[`node_modules/${runtime}`];
  const kept = join(root, "node_modules/.cache/bendre/runtimes", `${arch}-${of}`);
  const archive = join(kept, "runtime.tgz");
  if (!existsSync(archive)) {
    mkdirSync(kept, { recursive: true });
    const got = await $`npm pack --silent --pack-destination ${kept} ${runtime}@${of}`
      .cwd(kept)
      .nothrow()
      .quiet();
    if (got.exitCode !== 0) return null;
    copyFileSync(join(kept, got.text().trim().split("\n").at(-1) ?? ""), archive);
  }
  const digest = `sha512-${createHash("sha512").update(readFileSync(archive)).digest("base64")}`;
  if (digest !== integrity) throw new Error(`${archive} is not what the lock file names: remove it`);
  await $`tar -xzf ${archive} -C ${kept} package/bin/bun`.quiet();
  return join(kept, "package/bin/bun");
}

async function packagesFor({ arch, debian }: Kind, runtime: string): Promise<void> {
  const executable = join(scratch, `${arch}.bendre`);
  await $`${process.execPath} build.ts ${executable} ${arch} ${runtime}`.cwd(root).quiet();
  const name = `bendre-${version}-linux-${arch}`;
  const tree = join(scratch, name);
  mkdirSync(tree);
  copyFileSync(executable, join(tree, "bendre"));
  writeFileSync(join(tree, "bendre.service"), unitText("/usr/local/bin/bendre", "bendre"));
  writeFileSync(join(tree, "sysusers.conf"), sysusersText("bendre"));
  writeFileSync(join(tree, "config.example.toml"), example);
  writeFileSync(join(tree, "LICENCES"), licences);
  for (const file of readdirSync(tree)) chmodSync(join(tree, file), file === "bendre" ? 0o755 : 0o644);
  chmodSync(tree, 0o755);
  const plain = join(scratch, `${name}.tar`);
  await $`tar --sort=name --mtime=@${epoch} --owner=0 --group=0 --numeric-owner --format=ustar -C ${scratch} -cf ${plain} ${name}`;
  await $`gzip -9 -n -c ${plain} > ${join(out, `${name}.tar.gz`)}`;
  if (Bun.which("dpkg-deb") === null) {
    console.error(`no .deb for ${arch}: dpkg-deb is not on this machine`);
    return;
  }
  const file = join(out, `bendre_${version}_${debian}.deb`);
  const within = join(scratch, `${arch}.deb`);
  const brought = { executable, example, licences };
  debianPackage({ ...brought, version, architecture: debian, epoch, scratch: within, file });
}
