/** The programs of the guide that verify a webhook but have no receiver beside them, each in its own language. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LANGUAGES } from "../../src/docs/site/language.ts";
import { toSignedHeaders } from "../../src/webhooks/payload.ts";
import { secretText } from "../../src/webhooks/signing.ts";

const GUIDE = join(import.meta.dirname, "../../src/docs/guide");
const PAGE = "webhooks";

type Program = {
  readonly needs: string;
  readonly files: (verify: string) => Record<string, string>;
  readonly words: string[];
};

/** What calls the code of the page: the secret and the headers are words, the body comes by the standard input. */
const PROGRAMS: Readonly<Record<string, Program>> = {
  java: {
    needs: "javac",
    files: (verify) => ({
      "Webhooks.java": verify,
      "Try.java": `
import java.util.Map;

public class Try {
    public static void main(String[] words) throws Exception {
        Map<String, String> headers =
            Map.of("webhook-id", words[1], "webhook-timestamp", words[2], "webhook-signature", words[3]);
        System.out.print(Webhooks.verify(words[0], headers, System.in.readAllBytes()));
    }
}
`,
    }),
    words: ["java", "-cp", ".", "Try"],
  },
  go: {
    needs: "go",
    files: (verify) => ({
      "verify.go": verify,
      "try.go": `package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
)

func main() {
	body, _ := io.ReadAll(os.Stdin)
	headers := http.Header{}
	for place, name := range []string{"webhook-id", "webhook-timestamp", "webhook-signature"} {
		headers.Set(name, os.Args[place+2])
	}
	fmt.Print(genuine(os.Args[1], headers, body))
}
`,
    }),
    words: ["./try"],
  },
  ruby: {
    needs: "ruby",
    files: (verify) => ({
      "verify.rb": verify,
      "try.rb": `require_relative "verify"
headers = ["webhook-id", "webhook-timestamp", "webhook-signature"].zip(ARGV.drop(1)).to_h
begin
  verify(ARGV[0], headers, $stdin.read)
  print true
rescue RuntimeError
  print false
end
`,
    }),
    words: ["ruby", "try.rb"],
  },
};
/** What makes a program of the files, once. */
const BUILDS: Readonly<Record<string, readonly string[]>> = {
  java: ["javac", "Webhooks.java", "Try.java"],
  go: ["go", "build", "-o", "try", "verify.go", "try.go"],
};

const place = mkdtempSync(join(tmpdir(), "bendre-verify-"));
afterAll(() => rmSync(place, { recursive: true }));

describe.each(
  LANGUAGES.flatMap((readers) => Object.keys(PROGRAMS).map((language) => [language, readers] as const)),
)("the code that verifies in %s (%s)", (language, readers) => {
  const { needs, files, words } = PROGRAMS[language]!;
  const directory = join(place, `${language}-${readers}`);
  const isThere = Bun.which(needs) !== null;
  beforeAll(() => {
    if (!isThere)
      return void process.stderr.write(`skipped: verifying in ${language}, for there is no ${needs}\n`);
    mkdirSync(directory);
    const page = readFileSync(join(GUIDE, readers, `${PAGE}.md`), "utf8");
    const [, verify = ""] = new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, "m").exec(page) ?? [];
    for (const [name, text] of Object.entries(files(verify))) writeFileSync(join(directory, name), text);
    const build = BUILDS[language];
    if (build === undefined) return;
    const made = Bun.spawnSync([...build], { cwd: directory, stderr: "pipe" });
    expect([made.exitCode, made.stderr.toString()]).toEqual([0, ""]);
  });

  const keys = [3, 9].map((octet) => new Uint8Array(32).fill(octet));
  const body = '{"data":"Ségou"}';
  const said = (key: Uint8Array, atMs: number, given = body) => {
    const signing = keys.map((each) => ({ key: each, expiresAtMs: Number.POSITIVE_INFINITY }));
    const headers = toSignedHeaders(signing, "01K", body, atMs) as unknown as Record<string, string>;
    const shown = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) =>
      String(headers[name]),
    );
    const done = Bun.spawnSync([...words, secretText(key), ...shown], {
      cwd: directory,
      stdin: new TextEncoder().encode(given),
      stderr: "pipe",
    });
    expect([done.exitCode, done.stderr.toString()]).toEqual([0, ""]);
    return done.stdout.toString();
  };

  test("takes either secret of a rotation, and refuses what was altered, is another's or is old", () => {
    if (!isThere) return;
    const [first, second] = keys as [Uint8Array, Uint8Array];
    expect(said(first, Date.now())).toBe("true");
    expect(said(second, Date.now())).toBe("true");
    expect(said(first, Date.now(), `${body} `)).toBe("false");
    expect(said(new Uint8Array(32), Date.now())).toBe("false");
    expect(said(first, Date.now() - 301_000)).toBe("false");
  });
});
