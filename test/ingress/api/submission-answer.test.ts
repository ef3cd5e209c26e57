import { expect, test } from "vitest";
import { toSubmissionReply } from "../../../src/ingress/api/submission.ts";

test("the 202 of a submission has the fields of its form, in their order", () => {
  const { rejections, ...reply } = toSubmissionReply({
    id: 7,
    ulid: "01KJQX5Y8M3T7V9B2C4D6F8G0H",
    clientReference: "mars",
    status: "QUEUED",
    sums: { accepted: 2, rejected: 1, segments: 2, amount: 35 },
    filled: null,
    rejections: [{ position: 1, msisdn: null, reason: "INVALID_MSISDN", clientReference: "7" }],
    warnings: [],
  });
  expect(reply).toEqual({
    status: 202,
    text: JSON.stringify({
      data: {
        batch_id: "01KJQX5Y8M3T7V9B2C4D6F8G0H",
        status: "QUEUED",
        accepted: 2,
        rejected: 1,
        rejections: [
          {
            index: 1,
            msisdn: null,
            reason_code: "INVALID_MSISDN",
            client_reference: "7",
            batch_client_reference: "mars",
          },
        ],
        reserved_amount: 35,
        currency: "XOF",
        total_segments: 2,
        is_sandbox: false,
        warnings: [],
      },
    }),
  });
  // Where the list stands that is kept with the batch.
  const { from = 0, to = 0 } = rejections ?? {};
  expect(JSON.parse(`[${reply.text.slice(from, to)}]`)).toEqual(JSON.parse(reply.text).data.rejections);
});
