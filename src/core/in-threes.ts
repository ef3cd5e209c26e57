/** The digits of a whole number, with or without a sign, in groups of three from its end. */
export function groupThousands(digits: string, between: string): string {
  const sign = digits.startsWith("-") ? "-" : "";
  const bare = digits.slice(sign.length);
  const groups: string[] = [];
  for (let end = bare.length; end > 0; end -= 3) groups.unshift(bare.slice(Math.max(0, end - 3), end));
  return sign + groups.join(between);
}
