/** The operator codes of WhatsApp's numbers: `whatsapp:main` is that of `[whatsapp.numbers.main]`. No other operator's code has a colon. */
const PREFIX = "whatsapp:";

export function operatorOfNumber(code: string): string {
  return `${PREFIX}${code}`;
}

/** The code of the number that an operator's code names; null where it is an operator of another channel. */
export function numberOfOperator(operator: string): string | null {
  return operator.startsWith(PREFIX) ? operator.slice(PREFIX.length) : null;
}
