/** Meta's codes as the stand-in says them: with which HTTP status, in which words, and how they come when nobody says. */

export type CloudCode = {
  readonly status: number;
  readonly title: string;
  /** Whether a post is answered with it, or is accepted and fails later. */
  readonly as: "answer" | "status";
};

const PERMISSION: CloudCode = { status: 403, title: "Permissions error", as: "answer" };
const OTHER: CloudCode = { status: 400, title: "Something went wrong", as: "answer" };

const CODES: ReadonlyMap<number, CloudCode> = new Map([
  [0, { status: 401, title: "AuthException", as: "answer" }],
  [1, { status: 400, title: "API Unknown", as: "answer" }],
  [2, { status: 503, title: "API Service", as: "answer" }],
  [3, { status: 500, title: "API Method", as: "answer" }],
  [4, { status: 400, title: "API Too Many Calls", as: "answer" }],
  [10, { status: 403, title: "Permission Denied", as: "answer" }],
  [33, { status: 400, title: "Parameter value is not valid", as: "answer" }],
  [100, { status: 400, title: "Invalid parameter", as: "answer" }],
  [102, { status: 401, title: "API Session", as: "answer" }],
  [190, { status: 401, title: "Access token has expired", as: "answer" }],
  [368, { status: 403, title: "Temporarily blocked for policies violations", as: "answer" }],
  [803, { status: 404, title: "Some of the aliases you requested do not exist", as: "answer" }],
  [80007, { status: 400, title: "Rate limit issues", as: "answer" }],
  [130429, { status: 429, title: "Rate limit hit", as: "answer" }],
  [130472, { status: 400, title: "User's number is part of an experiment", as: "status" }],
  [130497, { status: 403, title: "Restricted in this country", as: "answer" }],
  [131000, { status: 500, title: "Something went wrong", as: "answer" }],
  [131005, { status: 403, title: "Access denied", as: "answer" }],
  [131008, { status: 400, title: "Required parameter is missing", as: "answer" }],
  [131009, { status: 400, title: "Parameter value is not valid", as: "answer" }],
  [131016, { status: 500, title: "Service unavailable", as: "answer" }],
  [131026, { status: 400, title: "Message undeliverable", as: "status" }],
  [131031, { status: 403, title: "Account has been locked", as: "answer" }],
  [131037, { status: 400, title: "Display name is not approved", as: "answer" }],
  [131042, { status: 400, title: "Business eligibility payment issue", as: "status" }],
  [131045, { status: 500, title: "Phone number registration error", as: "answer" }],
  [131047, { status: 400, title: "Re-engagement message", as: "status" }],
  [131048, { status: 400, title: "Spam rate limit hit", as: "status" }],
  [131049, { status: 400, title: "Not delivered to keep the ecosystem healthy", as: "status" }],
  [131050, { status: 400, title: "User has stopped marketing messages", as: "status" }],
  [131056, { status: 400, title: "Pair rate limit hit", as: "answer" }],
  [131057, { status: 500, title: "Account in maintenance mode", as: "answer" }],
  [132000, { status: 400, title: "Number of parameters does not match", as: "answer" }],
  [132001, { status: 404, title: "Template name does not exist in the translation", as: "answer" }],
  [132005, { status: 400, title: "Translated text too long", as: "answer" }],
  [132007, { status: 400, title: "Template format character policy violated", as: "answer" }],
  [132012, { status: 400, title: "Parameter format does not match", as: "answer" }],
  [132015, { status: 400, title: "Template is paused", as: "answer" }],
  [132016, { status: 400, title: "Template is disabled", as: "answer" }],
  [132018, { status: 400, title: "Template parameter is not valid", as: "answer" }],
  [133006, { status: 400, title: "Phone number re-verification needed", as: "answer" }],
  [133010, { status: 400, title: "Phone number not registered", as: "answer" }],
  [139200, { status: 400, title: "Direct send is blocked", as: "answer" }],
]);

/** After these nobody knows whether the post was taken; here every other one was. */
const UNSURE: readonly number[] = [1, 2, 131000, 131016];

export function cloudCode(code: number): CloudCode {
  const known = CODES.get(code);
  if (known !== undefined) return known;
  return code >= 200 && code <= 299 ? PERMISSION : OTHER;
}

/** 500 to 599 are no codes of Meta's: the answer is that HTTP status, and a page in place of JSON. */
export function isBareStatus(code: number): boolean {
  return code >= 500 && code <= 599;
}

export function isUnsure(code: number): boolean {
  return UNSURE.includes(code) || isBareStatus(code);
}

/** What is answered of a number that is not there, or that the token may not see: an error of the Graph API, not of WhatsApp. */
export function goneBody(id: string): string {
  const message = `Unsupported post request. Object with ID '${id}' does not exist, cannot be loaded due to missing permissions, or does not support this operation`;
  const error = {
    message,
    type: "GraphMethodException",
    code: 100,
    error_subcode: 33,
    fbtrace_id: "simulated",
  };
  return JSON.stringify({ error });
}

/** The body of an answer that refuses. */
export function errorBody(code: number, details: string): string {
  const { title } = cloudCode(code);
  const error = {
    message: `(#${code}) ${title}`,
    type: "OAuthException",
    code,
    error_data: { messaging_product: "whatsapp", details },
    fbtrace_id: "simulated",
  };
  return JSON.stringify({ error });
}
