import { deepStrictEqual, ok, strictEqual } from "node:assert";
import { isIP } from "node:net";
import { classifyAddress, explainRefusal } from "../../../src/https/address-guard.ts";
import { english } from "../../../src/i18n/text.ts";
import { findEndpointUrlFault, readEndpointUrl } from "../../../src/webhooks/endpoint-request.ts";
import type { Dice } from "../dice.ts";
import { kindOf, textTarget } from "../target.ts";

const HOSTS = [
  // The last address of each range, and the first behind it.
  ...[
    "172.31.255.255",
    "172.32.0.0",
    "100.127.255.255",
    "100.128.0.0",
    "192.168.255.255",
    "10.255.255.255",
    "11.0.0.0",
  ],
  ...[
    "198.19.255.255",
    "198.20.0.0",
    "192.0.0.255",
    "192.88.99.255",
    "203.0.113.255",
    "198.51.100.255",
    "223.255.255.255",
  ],
  ...[
    "[2001:1ff::1]",
    "[2001:200::1]",
    "[3fff:fff::1]",
    "[3fff:1000::1]",
    "[2002:ffff::1]",
    "[2003::1]",
    "[3fff:ffff::1]",
    "[4000::1]",
  ],
  ...[
    "shop.example",
    "127.0.0.1",
    "2130706433",
    "0x7f.1",
    "0177.0.0.1",
    "127.1",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "10.0.0.1",
  ],
  ...[
    "169.254.169.254",
    "[fe80::1]",
    "[fc00::1]",
    "[64:ff9b::a00:1]",
    "[2002:7f00:1::]",
    "[2001:0:1::]",
    "8.8.8.8",
  ],
  ...[
    "[2606:4700::1111]",
    "[2606:4700::5efe:a00:1]",
    "[2606:4700::200:5efe:a00:1]",
    "100.64.0.1",
    "0.0.0.0",
    "localhost",
  ],
  ...[
    "１２７.0.0.1",
    "①②⑦.0.0.1",
    "xn--e1afmkfd.example",
    "exämple.example",
    "shop.example.",
    "[::]",
    "[fe80::1%25eth0]",
  ],
  ...[
    "192.0.2.1",
    "198.18.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "[ff02::1]",
    "[100::1]",
    "[3fff::1]",
    "[2001:db8::1]",
  ],
];

export const urls = textTarget({
  name: "urls",
  promise:
    "the URL of an endpoint is refused, or is asked at the host it names and never at an address of ours",
  words: [
    ...[
      "https://",
      "http://",
      "://",
      "@",
      ":443",
      ":0",
      ":65536",
      "/hook",
      "?q",
      "#f",
      "%2f",
      "\\",
      "..",
      ":",
    ],
    ...HOSTS,
  ],
  draw: drawn,
  longest: 2200,
  run: (text) => {
    addressIsJudged(text);
    const fault = findEndpointUrlFault(text);
    const read = readEndpointUrl(text);
    if ("fault" in read) {
      deepStrictEqual(fault, read.fault);
      return `refused: ${kindOf(english(read.fault))}`;
    }
    const { host, isAddress, port, path, authority } = read.target;
    strictEqual(isAddress, isIP(host) !== 0);
    ok(path.startsWith("/") && port >= 1 && port <= 65_535);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: none may stand in a header
    ok(!/[\u0000-\u0020\u007f]/.test(`${host}${path}${authority}`), "nothing that ends a line of a head");
    // As the request is made: to an address, with the path behind it. The path must not move the host.
    const asked = URL.parse(`https://192.0.2.7:${port}${path}`);
    strictEqual(asked?.hostname, "192.0.2.7");
    strictEqual(asked.pathname + asked.search, path);
    if (fault === null) {
      const written = /^https:\/\/([^/?#]*)/i.exec(text)?.[1] ?? "";
      ok(!written.includes("@"), "nobody is named before the host");
      const again = URL.parse(`https://${authority}/`);
      strictEqual(again?.host, authority);
    }
    const verdict = isAddress ? addressIsJudged(host) : "a name";
    return `${fault === null ? "taken" : `not registered: ${kindOf(english(fault))}`}, ${verdict}${port === 443 ? "" : ", port"}`;
  },
});

/** The guard agrees with ranges that are looked up in another way. */
function addressIsJudged(address: string): string {
  const kind = classifyAddress(address);
  const isPublic = isPublicAddress(address);
  if (kind === null) ok(isPublic, `${address} is let through`);
  strictEqual(explainRefusal([address], new Set(), address) === null, kind === null);
  strictEqual(explainRefusal([address], new Set([address]), address) === null, false);
  return kind ?? "public";
}

/** Octets of an address, an IPv6 one with what stands inside; null for none. */
function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return isPublicIpv4(address.split(".").map(Number));
  if (isIP(address) !== 6 || address.includes("%")) return false;
  const [head = "", tail] = quadAsGroups(address).split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  const filled =
    tail === undefined ? [] : Array.from({ length: 8 - before.length - after.length }, () => "0");
  const groups = [...before, ...filled, ...after].map((group) => Number.parseInt(group, 16));
  strictEqual(groups.length, 8);
  const [a = 0, b = 0, c = 0, , e = 0, f = 0] = groups;
  if (a >> 13 !== 1) return false;
  if (a === 0x2001 && (b < 0x200 || b === 0xdb8)) return false;
  if (a === 0x2002 || (a === 0x3fff && b < 0x1000)) return false;
  return !((e === 0 || e === 0x200) && f === 0x5efe) || c < 0;
}

/** A dotted quad at the end, as two groups. */
function quadAsGroups(address: string): string {
  return address.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...octets: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = octets.map(Number);
    return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
  });
}

function isPublicIpv4([a = 0, b = 0, c = 0]: readonly number[]): boolean {
  if (a === 0 || a === 10 || a === 127 || a >= 224) return false;
  if (a === 100 && b >= 64 && b < 128) return false;
  if ((a === 169 && b === 254) || (a === 172 && b >= 16 && b < 32)) return false;
  if (a === 192 && (b === 168 || (b === 0 && (c === 0 || c === 2)) || (b === 88 && c === 99))) return false;
  if (a === 198 && (b === 18 || b === 19 || (b === 51 && c === 100))) return false;
  return !(a === 203 && b === 0 && c === 113);
}

function drawn({ below, pick }: Dice): string {
  const random = () =>
    below(2) === 0
      ? Array.from({ length: 4 }, () => below(256)).join(".")
      : Array.from({ length: 8 }, () =>
          pick([0, 1, 0xffff, 0x5efe, 0x2001, 0x2606, below(65_536)]).toString(16),
        ).join(":");
  if (below(3) === 0) return below(2) === 0 ? random() : pick(HOSTS).replace(/[[\]]/g, "");
  const address = random();
  const host = pick([pick(HOSTS), address.includes(":") ? `[${address}]` : address]);
  return `${pick(["https://", "https://", "HTTPS://", "http://", "https:/"])}${pick(["", "", "a:b@"])}${host}${pick(["", ":8443", ":443", ":0"])}${pick(["", "/", "/hook?a=b", "//x", "/..//", "?x", "#y"])}`;
}
