/** What is inside the executable besides our own code: the packages it is built from, and the runtime. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export type Ingredient = {
  readonly name: string;
  readonly version: string;
  /** An SPDX expression. */
  readonly licence: string;
  /** The digest that the lock file holds it to, such as `sha512-…`; null for the runtime. */
  readonly integrity: string | null;
  /** The texts of its licences. */
  readonly texts: readonly string[];
};

type Locked = {
  readonly version?: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly devOptional?: boolean;
};

const LICENCE_FILE = /^(licen[cs]e|notice|copying)(\..*)?$/i;

/** Where the licences of what the runtime itself is linked with are told. */
const RUNTIME_TEXT =
  "MIT licence. It is linked with JavaScriptCore and other libraries under licences of their own (LGPL-2.1 and others), listed at\n" +
  "https://bun.com/docs/project/licensing, where their sources and the means to link it anew are named too.";

/** By name; every package that the lock file has for the program itself, as it is installed below `root`. */
export function ingredients(root: string): Ingredient[] {
  const lock: { readonly packages: Readonly<Record<string, Locked>> } = JSON.parse(
    readFileSync(join(root, "package-lock.json"), "utf8"),
  );
  const packages = Object.entries(lock.packages)
    .filter(([path, { dev, optional, devOptional }]) => path !== "" && !dev && !optional && !devOptional)
    .map(([path, { version = "", license = "unknown", integrity = null }]) => ({
      name: path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length),
      version,
      licence: license,
      integrity,
      texts: licenceTexts(join(root, path)),
    }));
  const bun = lock.packages["node_modules/bun"]?.version ?? Bun.version;
  const runtime = { name: "bun", version: bun, licence: "MIT", integrity: null, texts: [RUNTIME_TEXT] };
  const once = new Map([...packages, runtime].map((one) => [`${one.name}@${one.version}`, one]));
  return [...once.values()].sort((a, b) => (`${a.name}@${a.version}` < `${b.name}@${b.version}` ? -1 : 1));
}

function licenceTexts(directory: string): string[] {
  if (!existsSync(directory)) return [];
  const names = readdirSync(directory).filter((name) => LICENCE_FILE.test(name));
  return names.sort().map((name) => readFileSync(join(directory, name), "utf8").trim());
}

/** What `bendre licences` prints: a list, then the texts. */
export function licencesText(inside: readonly Ingredient[]): string {
  const title = ({ name, version, licence }: Ingredient): string => `${name} ${version}: ${licence}`;
  const texts = inside.map((one) => [`## ${title(one)}`, "", ...one.texts, ""].join("\n"));
  return ["Bendre is built from:", "", ...inside.map(title), "", ...texts].join("\n");
}

/** A list of the same in the form of CycloneDX 1.6, which tells nothing of when and where it was made but the commit's time. */
export function cycloneDx(inside: readonly Ingredient[], version: string, madeAt: string): string {
  const components = inside.map(({ name, version: of, licence, integrity }) => {
    const purl = `pkg:npm/${name.replace("@", "%40")}@${of}`;
    const hash = integrity === null ? [] : [{ alg: "SHA-512", content: hexOf(integrity) }];
    return {
      type: name === "bun" ? "platform" : "library",
      "bom-ref": purl,
      name,
      version: of,
      licenses: [/[ (]/.test(licence) ? { expression: licence } : { license: { id: licence } }],
      purl,
      ...(hash.length === 0 ? {} : { hashes: hash }),
    };
  });
  const own = { type: "application", "bom-ref": "bendre", name: "bendre", version };
  const list = {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { timestamp: madeAt, component: own },
    components,
    dependencies: [{ ref: "bendre", dependsOn: components.map((each) => each["bom-ref"]) }],
  };
  return `${JSON.stringify(list, null, 2)}\n`;
}

function hexOf(integrity: string): string {
  return Buffer.from(integrity.replace(/^sha512-/, ""), "base64").toString("hex");
}
