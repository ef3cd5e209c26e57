import { describe, expect, test } from "vitest";
import { codeOf, filesBelow, isProgram, textOf } from "./source.ts";

const PROGRAMS = filesBelow("src").filter(isProgram);

/** Lines of src in which `pattern` stands, outside comments and plain strings, in files that may not have it. */
function found(pattern: RegExp, allowed: readonly string[] = []): string[] {
  return PROGRAMS.filter((file) => !allowed.includes(file)).flatMap((file) =>
    codeOf(file, "emptied")
      .split("\n")
      .filter((line) => pattern.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  );
}

/** All that the console touches of a browser. */
const BROWSER = "src/console/ui/browser.ts";

describe("one file for each effect", () => {
  test("only core/clock.ts reads clocks and sets timers", () => {
    const clocks =
      /\bDate\.now\b|\bTemporal\.Now\b|\bnew Date\(\s*\)|\bperformance\.(now|timeOrigin)\b|\bset(Timeout|Interval|Immediate)\b|\bhrtime\b|\bBun\.(sleep|sleepSync|nanoseconds)\b/;
    expect(found(clocks, ["src/core/clock.ts", BROWSER])).toEqual([]);
    expect(codeOf("src/core/clock.ts", "emptied")).toMatch(clocks);
  });

  test("only core/chance.ts draws at random, and in a browser its edge", () => {
    const chance = /\bMath\.random\b|\brandom(Bytes|Int|UUID|UUIDv7|Fill|FillSync)\b|\bgetRandomValues\b/;
    expect(found(chance, ["src/core/chance.ts", "src/console/ui/browser.ts"])).toEqual([]);
    expect(codeOf("src/core/chance.ts", "emptied")).toMatch(chance);
  });

  test("only the connections to operators and of customers, the simulated operator and the HTTP server open sockets", () => {
    const sockets = /\bBun\.(connect|listen|udpSocket)\b|\b(createConnection|createServer|connectTLS)\b/;
    expect(
      found(sockets, [
        "src/core/http-server.ts",
        "src/smpp/dial.ts",
        "src/smpp/listen.ts",
        "src/simulator/server.ts",
      ]),
    ).toEqual([]);
  });

  test("only the connection to endpoints, the client of the control socket and the demonstration fetch", () => {
    const own = [BROWSER, "src/https/https-request.ts", "src/admin/control-client.ts", "src/demo/api.ts"];
    expect(found(/(?<![.\w])fetch\(/, own)).toEqual([]);
    for (const file of own) expect(codeOf(file, "emptied")).toMatch(/(?<![.\w])fetch\(/);
  });

  test("only one file of the console reaches out of a browser, or keeps something in it", () => {
    const effects =
      /\b(EventSource|WebSocket|XMLHttpRequest|sendBeacon|localStorage|sessionStorage|indexedDB)\b/;
    expect(found(effects, [BROWSER])).toEqual([]);
    expect(codeOf(BROWSER, "emptied")).toMatch(effects);
  });

  test("nothing makes HTML of text in a browser", () => {
    expect(
      found(/\b(dangerouslySetInnerHTML|innerHTML|outerHTML|insertAdjacentHTML|document\.write)\b/),
    ).toEqual([]);
  });

  test("nothing is served by the runtime's own server, which loses answers to octets behind a request", () => {
    expect(found(/\bBun\.serve\b/)).toEqual([]);
  });
});

describe("what no program of ours contains", () => {
  test("any, or words that silence the type check", () => {
    expect(found(/[:<,|&(]\s*any\b(?!\s*[:=])|\bas any\b|\bany\[\]/)).toEqual([]);
    const silenced = PROGRAMS.filter((file) => /@ts-(ignore|nocheck|expect-error)/.test(textOf(file)));
    expect(silenced).toEqual([]);
  });

  test("work left for later", () => {
    const later = new RegExp(`\\b(${["TO" + "DO", "FIX" + "ME", "HA" + "CK", "X".repeat(3)].join("|")})\\b`);
    const files = [...filesBelow("src"), ...filesBelow("scripts"), ...filesBelow("test"), "build.ts"];
    const texts = files.filter((file) => !file.endsWith(".png"));
    expect(texts.filter((file) => later.test(textOf(file)))).toEqual([]);
  });

  test("two versions of a place where a merge was left half done", () => {
    const files = ["src", "test", "scripts"].flatMap(filesBelow);
    const marks = new RegExp(`^(${"<".repeat(7)}|${">".repeat(7)}) `, "m");
    expect([...files, "README.md", "CONTRIBUTING.md"].filter((file) => marks.test(textOf(file)))).toEqual([]);
  });

  test("a file of a name that says nothing, or in another case than the others", () => {
    const files = [...filesBelow("src"), ...filesBelow("test")].filter(isProgram);
    const nothing = /(^|[/-])(utils?|helpers?|common|manager|service|types?|misc|lib)(\.|\/)/;
    expect(files.filter((file) => nothing.test(file))).toEqual([]);
    const kebab = /^[a-z0-9]+(-[a-z0-9]+)*(\.gen)?(\.d|(\.long|\.nightly)?\.test|(\.nightly)?\.e2e)?\.tsx?$/;
    expect(files.filter((file) => !kebab.test(file.split("/").at(-1) ?? ""))).toEqual([]);
  });
});
