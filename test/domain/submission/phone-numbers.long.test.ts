import { describe, expect, test } from "vitest";
import {
  blockReader,
  DECIDING_DIGITS,
  normaliseNumber,
  prefixTable,
  readNumber,
} from "../../../src/domain/submission/phone-numbers.ts";
import { seededChance } from "../../kit/test-chance.ts";

const ownerOf = prefixTable({
  orange: { prefixes: ["22604", "22605", "22606", "22607", "2264", "22676"] },
  moov: { prefixes: ["22601", "22670", "2262530"] },
});
const normalised = (input: string) => normaliseNumber(input, "BF", ownerOf);

describe("ways to write one number", () => {
  test.each([
    "70123456",
    "70 12 34 56",
    "70.12.34.56",
    "70-12-34-56",
    "70/12/34/56",
    " 70123456 ",
    "70123456\n",
    "(+226) 70-12-34-56",
    "(226) 70-12-34-56",
    "+22670123456",
    "+226 70 12 34 56",
    "0022670123456",
    "00226 70 12 34 56",
    "22670123456",
    "226 70123456",
    "tel:+22670123456",
    "TEL:70123456",
    "tel:70123456;phone-context=+226",
    "70\u00a012\u00a034\u00a056",
    "70\u202f12\u202f34\u202f56",
    "70\t12 34 56",
    "\u200e+22670123456",
    "\u202a+22670123456\u202c",
    "\ufeff70123456",
    "٧٠١٢٣٤٥٦",
    "+٢٢٦٧٠١٢٣٤٥٦",
    "７０１２３４５６",
    "＋22670123456",
  ])("%j", (input) => {
    expect(normalised(input)).toEqual({ kind: "routable", msisdn: "+22670123456", operator: "moov" });
  });
});

describe("a number with a phone-context (RFC 3966)", () => {
  test("reads the same each time, whatever was read before", () => {
    for (let times = 0; times < 5; times++) {
      expect(normalised("tel:70123456;phone-context=+226")).toEqual({
        kind: "routable",
        msisdn: "+22670123456",
        operator: "moov",
      });
    }
  });
});

describe("a leading 0 belongs to the number", () => {
  // Keeps: behaviour 4.17
  test("01 is a mobile range", () => {
    expect(normalised("01234567")).toEqual({ kind: "routable", msisdn: "+22601234567", operator: "moov" });
  });

  // Keeps: behaviour 4.17
  test.each(["070123456", "+226(0)70123456", "+226070123456"])("%s has a 0 too many", (input) => {
    expect(normalised(input)).toEqual({ kind: "invalid", msisdn: null });
  });
});

describe("a foreign number", () => {
  // Keeps: behaviour 4.18
  test.each(["2250707070707", "22890123456", "233241234567", "33612345678", "2570123456", "0707070707"])(
    "%s without + is not guessed at",
    (input) => {
      expect(normalised(input)).toEqual({ kind: "invalid", msisdn: null });
    },
  );

  test.each([
    ["+2250707070707", "+2250707070707"],
    ["002250707070707", "+2250707070707"],
    ["+2290197000000", "+2290197000000"],
    ["0033612345678", "+33612345678"],
  ])("%s is a real number that nobody here sends to", (input, msisdn) => {
    expect(normalised(input)).toEqual({ kind: "unroutable", msisdn });
  });

  test.each(["+22507070707", "+22997000000"])("%s is of a length that its country gave up", (input) => {
    expect(normalised(input)).toEqual({ kind: "invalid", msisdn: null });
  });

  test("is routable when an operator owns its prefix", () => {
    const abroad = prefixTable({ mtn: { prefixes: ["22505"] } });
    expect(normaliseNumber("+2250505050505", "BF", abroad)).toEqual({
      kind: "routable",
      msisdn: "+2250505050505",
      operator: "mtn",
    });
  });
});

describe("ranges", () => {
  // Keeps: behaviour 4.22
  test("a valid mobile number of no configured prefix is unroutable", () => {
    expect(normalised("78123456")).toEqual({ kind: "unroutable", msisdn: "+22678123456" });
  });

  // Keeps: behaviour 4.22
  test("a fixed line is unroutable", () => {
    expect(normalised("25450000")).toEqual({ kind: "unroutable", msisdn: "+22625450000" });
  });

  // Keeps: behaviour 4.22
  test("a fixed line is unroutable although an operator lists its prefix", () => {
    expect(normalised("25300000")).toEqual({ kind: "unroutable", msisdn: "+22625300000" });
  });

  // Keeps: behaviour 4.21
  test("a range the library does not know is accepted when an operator owns it", () => {
    expect(normalised("47123456")).toEqual({ kind: "routable", msisdn: "+22647123456", operator: "orange" });
  });

  // Keeps: behaviour 4.15, 4.20
  test.each(["59123456", "08123456", "80123456", "90123456", "+22659123456", "22659123456"])(
    "%s, unknown to the library and owned by nobody, is invalid under its E.164 form",
    (input) => {
      expect(normalised(input)).toEqual({ kind: "invalid", msisdn: `+226${input.slice(-8)}` });
    },
  );
});

describe("what is no number", () => {
  // Keeps: behaviour 4.20
  test.each([
    "",
    "+",
    "1",
    "17",
    "+226",
    "abc",
    "7O123456",
    "mon num 70123456",
    "70123456 poste 3",
    "70123456 76123456",
    "70123456 / 76123456",
    "70123456\n76123456",
    "++22670123456",
    "00123456",
    "7012345",
    "701234567",
    "22622670123456",
    "+22622670123456",
    "123456789012345678",
  ])("%j", (input) => {
    expect(normalised(input)).toEqual({ kind: "invalid", msisdn: null });
  });

  // Keeps: behaviour 4.19, 4.20
  test.each([
    "+226 70 12 34 56 ext 5",
    "70123456;ext=2",
    "tel:+22670123456;ext=2",
    "70123456x12",
    "70123456,76999999",
  ])("%j has an extension; what it extends is named", (input) => {
    expect(normalised(input)).toEqual({ kind: "invalid", msisdn: "+22670123456" });
  });
});

describe("other regions", () => {
  // Keeps: behaviour 4.15
  test("read their own local form", () => {
    const ivorian = prefixTable({ orange: { prefixes: ["22507"] } });
    expect(normaliseNumber("07 07 07 07 07", "CI", ivorian)).toEqual({
      kind: "routable",
      msisdn: "+2250707070707",
      operator: "orange",
    });
    expect(normaliseNumber("0241234567", "GH", () => "mtn")).toMatchObject({ msisdn: "+233241234567" });
  });

  test("that do not exist are a bug", () => {
    expect(() => normaliseNumber("70123456", "XX", ownerOf)).toThrow("region XX is known");
  });
});

describe("reading in blocks", () => {
  const spellings = (callingCode: string) => [
    "",
    "+",
    "00",
    callingCode,
    `+${callingCode}`,
    `00${callingCode}`,
  ];

  // Of Burkina Faso every prefix that is a digit longer than a block, of the others two numbers of every block.
  test.each([
    ["BF", "226", 8, 10],
    ["BJ", "229", 10, 2],
    ["CI", "225", 10, 2],
    ["ML", "223", 8, 2],
    ["NE", "227", 8, 2],
    ["SN", "221", 9, 2],
    ["TG", "228", 8, 2],
  ] as const)(
    "of %s gives what the library gives for every block",
    (region, callingCode, nationalLength, numbers) => {
      const chance = seededChance(Number(callingCode));
      const read = blockReader(region);
      const blockLength = DECIDING_DIGITS[region] ?? 0;
      const restLength = nationalLength - blockLength - 1;
      let answered = 0;
      for (let block = 0; block < 10 ** blockLength; block += 1) {
        for (let number = 0; number < numbers; number += 1) {
          const next = (block + (number * 10) / numbers) % 10;
          const rest = Math.floor(chance.fraction() * 10 ** restLength);
          const national = `${block}`.padStart(blockLength, "0") + next + `${rest}`.padStart(restLength, "0");
          // The block may have been learnt from one spelling and be asked for in another.
          const code = ["", `+${callingCode}`, callingCode, `00${callingCode}`][rest % 4];
          const reading = read(code + national);
          if (reading === null) continue;
          answered += 1;
          const told = readNumber(code + national, region);
          if (!Bun.deepEquals(reading, told))
            expect([code + national, reading]).toEqual([code + national, told]);
        }
      }
      expect(answered).toBeGreaterThan(0.9 * numbers * 10 ** blockLength);
    },
  );

  test("is of no other country", () => {
    expect(Object.keys(DECIDING_DIGITS).sort()).toEqual(["BF", "BJ", "CI", "ML", "NE", "SN", "TG"]);
  });

  test.each([
    ["BF", "226", true],
    ["CI", "225", true],
    ["TG", "228", true],
    ["ML", "223", true],
    // Two lengths and a national prefix; a shared calling code: left to the library.
    ["GH", "233", false],
    ["US", "1", false],
    ["FR", "33", false],
  ] as const)(
    "of %s agrees with the library on any digits in any groups",
    (region, callingCode, isProven) => {
      const chance = seededChance(Number(callingCode));
      const read = blockReader(region);
      let answered = 0;
      for (let round = 0; round < 400; round++) {
        const length = 6 + Math.floor(chance.fraction() * 7);
        const digits = Array.from({ length }, () => Math.floor(chance.fraction() * 10));
        const grouped = digits.join(["", "", " ", ".", "-"][Math.floor(chance.fraction() * 5)] ?? "");
        for (const code of spellings(callingCode)) {
          const reading = read(code + grouped);
          if (reading === null) continue;
          answered += 1;
          expect([code + grouped, reading]).toEqual([code + grouped, readNumber(code + grouped, region)]);
        }
      }
      expect(answered > 0).toBe(isProven);
    },
  );

  test("keeps apart fixed and mobile ranges that differ in their last significant digit", () => {
    const read = blockReader("ML");
    expect(read("20781234")).toEqual({ standing: "fixed line", digits: "22320781234" });
    expect(read("20791234")).toEqual({ standing: "valid", digits: "22320791234" });
  });

  test.each(["70123456x1", "7012345", "+70123456", "7012345é", "(226)70123456", "22612345", "00123456"])(
    "leaves %s to the library",
    (input) => {
      expect(blockReader("BF")(input)).toBeNull();
    },
  );
});

// Keeps: behaviour 4.16
test("any input gets a verdict, and never a number that is not E.164", () => {
  const chance = seededChance(164);
  const pieces = [
    "70",
    "226",
    "+",
    "00",
    "12",
    "3456",
    " ",
    "(",
    ")",
    "-",
    ";",
    "ext",
    ",",
    "#",
    "tel:",
    "x",
    "٧",
    "\u200e",
    "é",
    "*",
  ];
  for (let round = 0; round < 3000; round++) {
    const length = Math.floor(chance.fraction() * 9);
    const input = Array.from(
      { length },
      () => pieces[Math.floor(chance.fraction() * pieces.length)] ?? "",
    ).join("");
    expect(normalised(input).msisdn ?? "+22670123456").toMatch(/^\+[1-9]\d{4,16}$/);
  }
});
