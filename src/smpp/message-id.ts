const DECIMAL = /^\d+$/;
const HEXADECIMAL = /^[\da-f]+$/;
/** The longest id that is taken for a number: 64 bits and some room. A UUID without its hyphens is a name. */
const LONGEST_NUMBER = 20;

/** The form under which an operator's message id is indexed: trimmed, lower case, no leading zeros (decisions.md section 6). */
export function canonicalId(id: string): string {
  return id
    .trim()
    .toLowerCase()
    .replace(/^[0\s]+(?=.)/, "");
}

/**
 * The canonical ids under which the message of a receipt may stand, likeliest first: as received, and read as the
 * other base, because some operators answer in hexadecimal and report in decimal, or the reverse. What is all
 * digits may be either; what has letters a to f can only be hexadecimal.
 */
export function candidateIds(id: string): string[] {
  const canonical = canonicalId(id);
  const candidates = [canonical];
  if (canonical.length > LONGEST_NUMBER) return candidates;
  const add = (candidate: string) => {
    if (!candidates.includes(candidate)) candidates.push(candidate);
  };
  if (DECIMAL.test(canonical)) add(BigInt(canonical).toString(16));
  if (HEXADECIMAL.test(canonical)) add(BigInt(`0x${canonical}`).toString(10));
  return candidates;
}
