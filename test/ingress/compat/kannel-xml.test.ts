import { describe, expect, test } from "vitest";
import { readXmlArguments } from "../../../src/ingress/compat/kannel-xml.ts";

const argumentsOf = (xml: string) =>
  Object.fromEntries(
    [...readXmlArguments(Buffer.from(xml))].map(([name, octets]) => [name, Buffer.from(octets).toString()]),
  );
const message = (inside: string, before = "") => `${before}<message><submit>${inside}</submit></message>`;

describe("a document of Kannel's", () => {
  test.each([
    ["plain", message("<oa><number>ACME</number></oa>")],
    [
      "behind a DOCTYPE",
      message("<oa><number>ACME</number></oa>", '<?xml version="1.0"?>\n<!DOCTYPE message SYSTEM "k.dtd">\n'),
    ],
    [
      "behind a DOCTYPE with declarations",
      message("<oa><number>ACME</number></oa>", "<!DOCTYPE message [<!ELEMENT a (b)>] \n>"),
    ],
    [
      "with comments and attributes",
      message('<!-- <oa> --><oa a="1" b=\'2\'><number x="y">ACME</number ></oa><vp/><vp />'),
    ],
    ["with raw text", message("<oa><number><![CDATA[ACME]]></number></oa>")],
    ["with names of characters", message("<oa><number>&#65;&#x43;ME</number></oa>")],
  ])("is read %s", (_, xml) => {
    expect(argumentsOf(xml).from).toBe("ACME");
  });

  test("keeps names that it does not know as they are written, whatever they are names of elsewhere", () => {
    expect(argumentsOf(message("<ud>a &amp; &constructor; &toString; &eacute;</ud>")).text).toBe(
      "a & &constructor; &toString; &eacute;",
    );
  });

  test.each([
    "<!DOCTYPE message",
    "<!DOCTYPE message [ ]",
    "<!DOCTYPE message [ ] x>",
    "<!-- ",
    "<?xml ",
    "<![CDATA[",
    "<message><submit><oa><number>ACME</oa></number></submit></message>",
    "<message><submit><oa><number>ACME</number></oa></submit>",
    "<message/ ><submit>",
    `<${"a".repeat(65)}/>`,
  ])("that is none says nothing: %s", (xml) => {
    const { from } = argumentsOf(`${xml}${message("<oa><number>ACME</number></oa>").slice(0, -1)}`);
    expect(from).toBeUndefined();
  });

  /** The least of some times of this process, in milliseconds: others may keep it waiting. */
  const timeOf = (xml: string): number => {
    const octets = Buffer.from(xml);
    return Math.min(
      ...Array.from({ length: 3 }, () => {
        const began = process.cpuUsage();
        readXmlArguments(octets);
        const { user, system } = process.cpuUsage(began);
        return (user + system) / 1000;
      }),
    );
  };
  const MAX_OCTETS = 65_536;
  const deep = Array.from({ length: 15 }, (_, index) => `<n${"x".repeat(60)}${index}>`).join("");

  test.each([
    ["a DOCTYPE that never ends", "<!DOCTYPE", " "],
    ["DOCTYPEs that never end", "", "<!DOCTYPE ["],
    ["an element that never ends", "<a", " b"],
    ["comments that never end", "", "<!--"],
    ["elements in elements", "", "<a>"],
    ["long names around many elements", deep, "<a/>"],
    ["names of characters that never end", "<a>", "&a"],
    ["numbers of characters that never end", "<a>", "&#1"],
    ["instructions", "", "<?"],
    ["blanks before an encoding", "", " "],
    ["an encoding again and again", "<?xml", " encoding="],
  ])("takes time that grows with its length and no faster: %s", (_, head, body) => {
    const upTo = (octets: number) => head + body.repeat(Math.floor((octets - head.length) / body.length));
    // What takes a millisecond says nothing of growth; what was quadratic took more than a second.
    expect(timeOf(upTo(MAX_OCTETS))).toBeLessThan(3 * timeOf(upTo(MAX_OCTETS / 2)) + 100);
  });
});
