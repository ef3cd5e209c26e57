import { expect, test } from "vitest";
import { frameCutter } from "./frames.ts";

test("of a stream that is lost nothing more is taken for a PDU", () => {
  const cut = frameCutter();
  const pdu = Uint8Array.from([0, 0, 0, 16, ...new Uint8Array(12)]);
  expect(cut(Uint8Array.from([...pdu, 0, 0, 0, 8]))).toEqual({ frames: [pdu], isLost: true });
  expect(cut(pdu)).toEqual({ frames: [], isLost: true });
});
