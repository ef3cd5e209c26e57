import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { loadConfig } from "../../src/config/load-config.ts";
import { paramsIn, phrase } from "../../src/i18n/phrase.ts";
import { english } from "../../src/i18n/text.ts";
import { HOOK_CERTIFICATE, HOOK_KEY } from "../kit/certificates.ts";
import { SERVER_CERTIFICATE } from "../smpp/server-certificate.ts";

const directory = mkdtempSync(join(tmpdir(), "bendre-config-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const OPERATOR = `
[operators.orange]
prefixes = ["22605"]
[[operators.orange.connections]]
host = "smsc.example.net"
system_id = "bendre"
password = "\${PASSWORD}"
`;
const ENV = { PASSWORD: "hunter2" };

function write(name: string, content: string | Uint8Array): string {
  const path = join(directory, name);
  writeFileSync(path, content);
  return path;
}

/** As they are told in English, which scripts are told too. */
async function linesOf(name: string, content: string | Uint8Array): Promise<string[]> {
  const path = write(name, content);
  const loaded = await loadConfig(path, ENV);
  return loaded.ok ? [] : loaded.faults.map((fault) => english(fault).replaceAll(path, name));
}

describe("no file", () => {
  test("is a fault, or an empty one where that is allowed, with what would stand at its end", async () => {
    const path = join(directory, "none.toml");
    expect(await loadConfig(path, ENV)).toMatchObject({ ok: false, isMissing: true });
    const empty = await loadConfig(path, ENV, "a fault", {}, "an empty file");
    const data = join(directory, "data");
    expect(empty).toMatchObject({
      ok: true,
      path,
      isMissing: true,
      config: { storage: { directory: data }, operators: {} },
    });
    const more = await loadConfig(path, ENV, "a fault", { more: OPERATOR }, "an empty file");
    expect(more).toMatchObject({ ok: true, isMissing: true, config: { operators: { orange: {} } } });
  });

  test("is not what a link that leads nowhere is, nor a directory", async () => {
    const path = join(directory, "link.toml");
    symlinkSync("nowhere.toml", path);
    expect((await loadConfig(path, ENV, "a fault", {}, "an empty file")).ok).toBe(false);
    expect((await loadConfig(directory, ENV, "a fault", {}, "an empty file")).ok).toBe(false);
    const read = await loadConfig(write("there.toml", OPERATOR), ENV, "a fault", {}, "an empty file");
    expect(read.ok && "isMissing" in read).toBe(false);
  });
});

describe("a good file", () => {
  test("gives the configuration, with the environment filled in", async () => {
    const loaded = await loadConfig(write("good.toml", `[api]\nburst = 7\n${OPERATOR}`), ENV);
    expect(loaded).toMatchObject({
      ok: true,
      config: { api: { burst: 7 }, operators: { orange: { connections: [{ password: "hunter2" }] } } },
    });
  });

  test("relative paths are seen from its own directory, absolute ones stay", async () => {
    write("ca.pem", "-----BEGIN CERTIFICATE-----\n");
    const tls = `tls = true\ntls_ca_file = "ca.pem"\n`;
    const content = `[webhooks]\nca_file = "${join(directory, "ca.pem")}"\n${OPERATOR}${tls}`;
    const loaded = await loadConfig(write("paths.toml", content), ENV);
    expect(loaded).toMatchObject({
      ok: true,
      config: {
        storage: { directory: join(directory, "data") },
        server: { tls_key: "" },
        webhooks: { ca_file: join(directory, "ca.pem") },
        operators: { orange: { connections: [{ tls_ca_file: join(directory, "ca.pem") }] } },
      },
    });
  });

  test("a byte order mark and Windows line ends do no harm", async () => {
    expect(await linesOf("bom.toml", `\uFEFF${OPERATOR.replaceAll("\n", "\r\n")}`)).toEqual([]);
  });
});

describe("a file that is not TOML", () => {
  test("is told with line, column and the line itself", async () => {
    expect(await linesOf("broken.toml", `[api]\nburst = 7\n  max_body_bytes = many\n`)).toEqual([
      'broken.toml:3:20: not valid TOML: a string needs straight quotes: found many, write max_body_bytes = "many"\n    max_body_bytes = many',
    ]);
  });

  test("is found again after it changed, at its new place", async () => {
    await linesOf("changing.toml", "a = x\n");
    expect((await linesOf("changing.toml", "\n\n\nbb = x\n"))[0]).toContain("changing.toml:4:6: ");
  });

  test("is told even where its place cannot be", async () => {
    const [line] = await linesOf("odd ?name#.toml", "a = x\n");
    expect(line).toContain("odd ?name#.toml: not valid TOML: ");
  });

  for (const content of [
    "password = hunter2\n",
    "passphrase = hunter2\n",
    "verify_token = hunter2\n",
    "token = hunter2\n",
    'password = "hunter2\nx = 1\n',
    'password = """hunter2\nx = 1\n',
    'c = [{ host = "x", password = hunter2 }]\n',
    'hunter2" # password\n',
    'password =\n"hunter2"\n',
    'password\n\n= "hunter2"\n',
    'password = """\nhunter2\\q"""\n',
  ]) {
    test(`does not show the password of ${JSON.stringify(content)}`, async () => {
      const [line] = await linesOf("secret.toml", content);
      expect(line).toContain("not valid TOML");
      expect(line).not.toContain("hunter2");
    });
  }

  test.each([
    ["a = 1\na = 2\n", "2:1: not valid TOML: a is defined twice, on line 1 and on line 2"],
    ["[x]\na.b = 1\n\na.b = 2\n", "4:3: not valid TOML: x.a.b is defined twice, on line 2 and on line 4"],
    ["[x.y]\na = 1\n[z]\n[x.y]\n", "4:1: not valid TOML: x.y is defined twice, on line 1 and on line 4"],
    ["a = 1\n[a]\n", "2:1: not valid TOML: a is defined twice, on line 1 and on line 2"],
    ["[[x]]\n[[x]]\n[x]\n", "3:1: not valid TOML: x is defined twice, on line 2 and on line 3"],
    [
      "[[x]]\nb = 1\n[[x]]\nb = 1\nb = 2\n",
      "5:1: not valid TOML: x[1].b is defined twice, on line 4 and on line 5",
    ],
    ["a = { b = 1, b = 2 }\n", "1:14: not valid TOML: Cannot redefine key 'b'"],
    [
      'a = "x\nb = 1\n',
      "1:5: not valid TOML: Unterminated string; newlines must be escaped in basic strings",
    ],
    ['a = "\\q"\n', "1:7: not valid TOML: Invalid escape sequence: 'q'"],
    // Of a secret its cause too, without a piece of it.
    [
      '[o]\npassword = "hunter2"\npassword = "hunter2"\n',
      "3:1: not valid TOML: o.password is defined twice, on line 2 and on line 3",
    ],
    ['password = "hunter2\n', "1:12: not valid TOML: Unterminated string"],
    ['password = "hunter2\\q"\n', "1:21: not valid TOML: Invalid escape sequence"],
    ["password = hunter2\n", "1:12: not valid TOML: Strings must be quoted"],
    ["password =\n", "1:11: not valid TOML: Missing value after '='"],
  ])("says why: %j", async (content, told) => {
    const [line] = await linesOf("why.toml", content);
    expect(line?.split("\n")[0]).toBe(`why.toml:${told}`);
    expect(line).not.toContain("hunter2");
  });

  /** Mistakes that people make: what the runtime's parser says of them is known, so that it is told in any language. */
  test.each([
    ["a =", "no_value"],
    ["a =\n1\n", "value_below"],
    ['a = """x\n', "open_string"],
    ['a = "x\n', "open_basic_string"],
    ["a = 'x\n", "open_literal_string"],
    ['a = "\\q"\n', "escape.of"],
    ["a = x\n", "unquoted.text"],
    ["a = 1 b\n", "more_on_line"],
    ["a\n", "no_equals.found"],
    ["= 1\n", "no_key.found"],
    ["a = [1,,2]\n", "value_expected.found"],
    ["a = { b = 1, b = 2 }\n", "again.key"],
    ["a = 01\n", "leading_zero"],
    ["a = [1 2]\n", "expected"],
  ])("says why by a code: %j", async (content, code) => {
    const loaded = await loadConfig(write("code.toml", content), ENV);
    const [fault] = loaded.ok ? [] : loaded.faults;
    expect(fault && paramsIn(fault, "config.no_toml.quoted")?.why.code).toBe(`config.toml.${code}`);
  });

  /** What a person wrote by habit, and what is to be written instead. */
  test.each([
    ["listen = 127.0.0.1:8080", "bare_address", "127.0.0.1:8080", 'listen = "127.0.0.1:8080"'],
    ["listen = [::1]:8080 # here", "bare_address", "[::1]:8080", 'listen = "[::1]:8080"'],
    ["listen = localhost:8080", "bare_address", "localhost:8080", 'listen = "localhost:8080"'],
    ["listen = :8080", "bare_address", ":8080", 'listen = ":8080"'],
    ["url = https://sms.bf", "bare_address", "https://sms.bf", 'url = "https://sms.bf"'],
    ["nets = 10.20.0.0/16", "bare_address", "10.20.0.0/16", 'nets = "10.20.0.0/16"'],
    ["host = 2001:db8::1", "bare_address", "2001:db8::1", 'host = "2001:db8::1"'],
    ['nets = [127.0.0.1, "::1"]', "bare_address", "127.0.0.1", 'nets = ["127.0.0.1", "::1"]'],
    ["hours = 08:00-20:00", "bare_text", "08:00-20:00", 'hours = "08:00-20:00"'],
    ["directory = /var/lib", "bare_text", "/var/lib", 'directory = "/var/lib"'],
    ["host = smsc.orange.bf", "bare_text", "smsc.orange.bf", 'host = "smsc.orange.bf"'],
    ["name = Orange Burkina # us", "bare_text", "Orange Burkina", 'name = "Orange Burkina"'],
    ['email = ["a@x.bf", b@x.bf]', "bare_text", "b@x.bf", 'email = ["a@x.bf", "b@x.bf"]'],
    ["listen = “a:1”", "curly_quotes", "“ ”", 'listen = "a:1"'],
    ['name = "Orange”', "curly_quotes", "”", 'name = "Orange"'],
    ["name = «\u00a0Moov\u00a0»", "curly_quotes", "« »", 'name = "Moov"'],
    ["name = ‘L’Autre’", "curly_quotes", "‘ ’", 'name = "L’Autre"'],
    ["nets = [“a”, “b”]", "curly_quotes", "“ ”", 'nets = ["a", "b"]'],
    ["“a” = 1", "curly_quotes", "“ ”", '"a" = 1'],
  ])("says what to write in place of %j", async (line, code, found, instead) => {
    const loaded = await loadConfig(write("habit.toml", `# above\n${line}\n`), ENV);
    const [fault] = loaded.ok ? [] : loaded.faults;
    const told = fault && paramsIn(fault, "config.no_toml.quoted");
    expect(told?.why).toEqual({ code: `config.toml.${code}`, params: { found, write: instead } });
    expect(told?.place).toContain("habit.toml:2:");
  });

  test("tells curly quotes around a secret without the secret", async () => {
    const [line] = await linesOf("curly-secret.toml", "password = “hunter2”\n");
    expect(line).toContain("typographic quotes “ ”");
    expect(line).not.toContain("hunter2");
  });

  test("leaves typographic quotes within a text alone", async () => {
    expect(await linesOf("inner.toml", '[seller]\nname = "“L’Autre” « SARL »"\n')).toEqual([]);
  });

  test("shows a line below one that names a password and is whole", async () => {
    const [line] = await linesOf("below.toml", '# the password\npassword = "hunter2"\nburst = x7\n');
    expect(line).toContain("burst = x7");
  });

  test("nor where its place cannot be told", async () => {
    const [line] = await linesOf("secret ?.toml", "password = hunter2\n");
    expect(line).toContain("not valid TOML");
    expect(line).not.toContain("hunter2");
  });
});

describe("a file that cannot be read", () => {
  test("is named with the reason", async () => {
    const missing = join(directory, "missing.toml");
    expect(await loadConfig(missing, ENV)).toEqual({
      ok: false,
      isMissing: true,
      faults: [
        phrase("config.fault", {
          place: missing,
          found: phrase("config.found.no_file"),
          expected: phrase("config.expects.toml"),
        }),
      ],
    });
    expect(await loadConfig(directory, ENV)).toEqual({
      ok: false,
      faults: [
        phrase("config.fault", {
          place: directory,
          found: phrase("config.found.unreadable_file", { error: "EISDIR" }),
          expected: phrase("config.expects.toml"),
        }),
      ],
    });
  });

  /** The phrase of what was found, with the place that it was told at. */
  async function foundIn(name: string, content: Uint8Array) {
    const path = write(name, content);
    const loaded = await loadConfig(path, ENV);
    const [fault] = loaded.ok ? [] : loaded.faults;
    const told = fault && paramsIn(fault, "config.fault");
    return told && { place: String(told.place).replace(path, name), found: told.found };
  }
  const windows = (text: string) => Buffer.from(text, "latin1");

  test("is told what its first byte is that is not UTF-8, and where", async () => {
    expect(await foundIn("latin1.toml", windows('# a\n[seller]\nname = "Société"\n'))).toEqual({
      place: "latin1.toml:3",
      found: phrase("config.found.windows_1252", { octet: "E9", character: "é" }),
    });
    const quotes = new Uint8Array([...windows("# à: "), 0x93, 0x94]);
    expect(await foundIn("utf8-before.toml", new Uint8Array([...Buffer.from("# é\n"), ...quotes]))).toEqual({
      place: "utf8-before.toml:2",
      found: phrase("config.found.windows_1252", { octet: "E0", character: "à" }),
    });
    expect(await foundIn("quote.toml", new Uint8Array([...Buffer.from("a = "), 0x93, 0x61, 0x94]))).toEqual({
      place: "quote.toml:1",
      found: phrase("config.found.windows_1252", { octet: "93", character: "“" }),
    });
    expect(await foundIn("none.toml", new Uint8Array([0x23, 0x81]))).toEqual({
      place: "none.toml:1",
      found: phrase("config.found.not_utf8.byte", { octet: "81" }),
    });
  });

  test("shows no character of a secret in Windows-1252", async () => {
    const content = windows('[alerts.smtp]\npassword = "hunté2"\n');
    expect(await foundIn("secret-1252.toml", content)).toEqual({
      place: "secret-1252.toml:2",
      found: phrase("config.found.windows_1252.hidden"),
    });
  });

  test("is told that it is UTF-16", async () => {
    const content = new Uint8Array([0xff, 0xfe, ...Buffer.from("[server]\n", "utf16le")]);
    expect(await foundIn("utf16.toml", content)).toEqual({
      place: "utf16.toml",
      found: phrase("config.found.utf16"),
    });
  });
});

describe("what the file names", () => {
  test("each fault stands on a line of its own under the file's name", async () => {
    expect(await linesOf("faults.toml", `[api]\nburst = 0\nburts = 1\n${OPERATOR}`)).toEqual([
      "faults.toml:2: api.burst: found 0, expected a whole number from 1 to 1000000 (requests)",
      "faults.toml:3: api.burts: found an unknown key, expected a known one; did you mean burst?",
    ]);
  });

  test("a nested mistake is told once, with its line and what was probably meant", async () => {
    const connection = `[operators.o.connection]\nhost = "x"\nsystem_id = "y"\npassword = "z"\n`;
    expect(await linesOf("nested.toml", `[operators.o]\nprefixes = ["22605"]\n${connection}`)).toEqual([
      "nested.toml:3: operators.o.connection: found an unknown key, expected a known one; did you mean connections?",
    ]);
    const inside = `[[operators.o.connections]]\nhost = "x"\nsystem_id = "y"\npasword = "z"\nwindows = 5\n`;
    expect(await linesOf("inside.toml", `[operators.o]\nprefixes = ["22605"]\n\n${inside}`)).toEqual([
      "inside.toml:7: operators.o.connections[0].pasword: found an unknown key, expected a known one; did you mean password?",
      "inside.toml:8: operators.o.connections[0].windows: found an unknown key, expected a known one; did you mean window?",
    ]);
    expect(await linesOf("missing.toml", `[operators.o]\n[[operators.o.connections]]\nhost = "x"\n`)).toEqual(
      [
        expect.stringMatching(/^missing\.toml:1: operators\.o\.prefixes: found nothing/),
        expect.stringMatching(/^missing\.toml:2: operators\.o\.connections\[0\]\.system_id: found nothing/),
        expect.stringMatching(/^missing\.toml:2: operators\.o\.connections\[0\]\.password: found nothing/),
      ],
    );
  });

  test("certificate files must be there and be PEM", async () => {
    const notPem = write("not.pem", "hello");
    const server = `[server]\ntls_certificate = "gone.pem"\ntls_key = "not.pem"\n`;
    expect(await linesOf("files.toml", `${server}${OPERATOR}`)).toEqual([
      `files.toml:2: server.tls_certificate: found ${join(directory, "gone.pem")} (ENOENT), expected a PEM file that can be read`,
      `files.toml:3: server.tls_key: found ${notPem}, which is not a PEM file, expected a PEM file that can be read`,
    ]);
  });

  test("a certificate and a key must belong together", async () => {
    write("hook.pem", HOOK_CERTIFICATE);
    write("hook-key.pem", HOOK_KEY);
    write("other.pem", SERVER_CERTIFICATE);
    write("broken.pem", "-----BEGIN CERTIFICATE-----\nnothing\n-----END CERTIFICATE-----\n");
    const server = (file: string) =>
      `[server]\ntls_certificate = "${file}"\ntls_key = "hook-key.pem"\n${OPERATOR}`;
    expect(await linesOf("pair.toml", server("hook.pem"))).toEqual([]);
    expect(await linesOf("pair.toml", server("other.pem"))).toEqual([
      expect.stringContaining("server.tls_certificate: found a certificate that its key does not fit"),
    ]);
    expect(await linesOf("pair.toml", server("broken.pem"))).toEqual([
      expect.stringContaining("server.tls_certificate: found a file whose certificate cannot be read"),
    ]);
  });

  test("a logo is a regular file of a bounded size, and what else it is is told", async () => {
    const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
    const found = async (logo: string) => {
      const path = write("logo.toml", `[seller]\nname = "x"\nlogo = "${logo}"\n`);
      const loaded = await loadConfig(path, {});
      return loaded.ok ? "a logo" : loaded.faults.map((one) => paramsIn(one, "config.fault.of_key")?.found);
    };
    const large = join(directory, "large.png");
    writeFileSync(large, Buffer.concat([png, Buffer.alloc(262_144)]));
    writeFileSync(join(directory, "small.png"), png);
    const pipe = join(directory, "pipe");
    await Bun.$`mkfifo ${pipe}`;
    expect(await found(join(directory, "small.png"))).toBe("a logo");
    expect(await found(large)).toEqual([phrase("config.found.large_logo", { path: large })]);
    for (const path of [pipe, "/dev/zero"])
      expect(await found(path)).toEqual([phrase("config.found.no_regular_file", { path })]);
  });

  test("a file cannot be the data directory", async () => {
    const data = write("occupied", "");
    expect(await linesOf("storage.toml", `[storage]\ndirectory = "occupied"\n${OPERATOR}`)).toEqual([
      `storage.toml:2: storage.directory: found ${data}, which is a file, expected a directory, or nothing there yet`,
    ]);
  });
});
