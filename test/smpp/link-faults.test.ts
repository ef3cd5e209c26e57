import { describe, expect, test } from "vitest";
import { said } from "../../src/i18n/phrase.ts";
import { english } from "../../src/i18n/text.ts";
import { bindRefusal, socketFault } from "../../src/smpp/dial.ts";

const place = { host: "smsc.example.net", port: 2775, bind: "transceiver", tls: null } as const;

function fault(code: string): Error {
  return Object.assign(new Error(`something about ${code}`), { code });
}

describe("a refused bind is told so that an administrator can act", () => {
  test.each([
    [0x0e, "the operator refuses the password: check system_id and password (0x0E RINVPASWD)"],
    [0x0f, "the operator does not know the system_id: check system_id and password (0x0F RINVSYSID)"],
    [0x53, "the operator refuses the system_type: check it (0x53 RINVSYSTYP)"],
    [0x03, "the operator does not accept a bind as transceiver: try another kind of bind (0x03 RINVCMDID)"],
    [0x08, "the operator cannot accept the bind at present (0x08 RSYSERR)"],
    [0x45, "the operator refuses the bind (0x45 RSUBMITFAIL)"],
    [0x400, "the operator refuses the bind (0x400)"],
  ])("0x%x", (status, words) => {
    expect(english(bindRefusal(status, place))).toBe(words);
  });

  test("and the ambiguous ones name what they may be", () => {
    expect(bindRefusal(0x0d, place).code).toBe("link.bind_refused.unexplained");
    expect(bindRefusal(0x05, place).code).toBe("link.bind_refused.bound_already");
  });
});

describe("an error of the socket is told in words", () => {
  test.each([
    ["ECONNREFUSED", "nothing listens at smsc.example.net port 2775 (ECONNREFUSED)"],
    ["ENOTFOUND", "the name smsc.example.net cannot be found (ENOTFOUND)"],
    ["EHOSTUNREACH", "there is no route to smsc.example.net (EHOSTUNREACH)"],
    ["ECONNRESET", "the operator cut the connection (ECONNRESET)"],
    ["CERT_HAS_EXPIRED", "the operator's certificate is not valid on this date (CERT_HAS_EXPIRED)"],
  ])("%s", (code, words) => {
    expect(english(socketFault(fault(code), place))).toBe(words);
  });

  test("a wrong name in a certificate says which was asked for", () => {
    const tls = { serverName: "smpp.example.net" };
    expect(socketFault(fault("ERR_TLS_CERT_ALTNAME_INVALID"), { ...place, tls })).toMatchObject({
      code: "link.certificate.name",
      params: { name: "smpp.example.net" },
    });
  });

  test("and one that nobody knows keeps its own", () => {
    expect(socketFault(fault("EWHATEVER"), place)).toEqual(said("Error: something about EWHATEVER"));
    expect(socketFault(new Error("plain"), place)).toEqual(said("Error: plain"));
  });
});
