import { describe, expect, test } from "vitest";
import { readHead } from "../../src/core/http-parser.ts";

const read = (...lines: readonly string[]) =>
  readHead(Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"));
const REFUSED = { kind: "fault", status: 400 };

describe("the host of a request (RFC 9112 section 3.2)", () => {
  test.each([
    ["other", ["Host: a.example", "Host: b.example"]],
    ["the same", ["Host: a.example", "host: a.example"]],
    ["apart from the first", ["Host: a.example", "Accept: */*", "HOST: b.example"]],
  ])("is refused where a second field has %s", (_, fields) => {
    for (const target of ["/", "http://a.example/"])
      for (const version of ["HTTP/1.1", "HTTP/1.0"])
        expect(read(`GET ${target} ${version}`, ...fields)).toEqual(REFUSED);
  });

  test.each(["a b", "a/b?c#d@e", "u:p@h", "é"])("is refused where it is none: %s", (host) => {
    expect(read("GET / HTTP/1.1", `Host: ${host}`)).toEqual(REFUSED);
  });

  test("of a proxy's form is refused where it is none", () => {
    expect(read("GET http://u:p@h/ HTTP/1.1", "Host: a.example")).toEqual(REFUSED);
  });

  test("may be empty", () => {
    expect(read("GET / HTTP/1.1", "Host:")).toMatchObject({ kind: "head" });
  });

  test("is asked for in HTTP/1.1, and not in a version before", () => {
    expect(read("GET / HTTP/1.1", "Accept: */*")).toEqual(REFUSED);
    expect(read("GET / HTTP/1.0", "Accept: */*")).toMatchObject({ kind: "head" });
    expect(read("GET / HTTP/1.1", "Hosts: a", "Post: b", "host: a.example")).toMatchObject({
      head: {
        fields: [
          ["Hosts", "a"],
          ["Post", "b"],
          ["host", "a.example"],
        ],
      },
    });
  });

  test("is that of a proxy's form, whatever the field says", () => {
    expect(read("GET http://b.example/x HTTP/1.1", "Host: a.example")).toMatchObject({
      head: { target: "/x", fields: [["host", "b.example"]] },
    });
  });
});
