import { describe, expect, test } from "vitest";
import { coverageTold, readLcov } from "../../scripts/coverage.ts";

const LCOV = `TN:
SF:src/smpp/pdu.ts
DA:1,4
DA:2,0
LF:10
LH:5
end_of_record
TN:
SF:test/kit/test-clock.ts
LF:3
LH:3
end_of_record
TN:
SF:src/main.ts
LF:4
LH:4
end_of_record
`;

describe("the coverage of lines", () => {
  test("is read for the programs and not for the tests", () => {
    expect(readLcov(LCOV)).toEqual([
      { file: "src/smpp/pdu.ts", lines: 10, hit: 5 },
      { file: "src/main.ts", lines: 4, hit: 4 },
    ]);
  });

  test("is told by room, the least covered first, with the files that miss most and those no test loads", () => {
    expect(
      coverageTold([...readLcov(LCOV), { file: "src/admin/reports/books-thread.ts", lines: null }]),
    ).toEqual([
      "lines that the tests run, by room",
      "  50.0 %  smpp",
      " 100.0 %  (the top)",
      "  64.3 %  all",
      "files with most lines that no test runs",
      "  50.0 %  src/smpp/pdu.ts: 5 of 10",
      "files that no test loads (the executable's tests may, or a thread)",
      "        src/admin/reports/books-thread.ts",
    ]);
  });
});
