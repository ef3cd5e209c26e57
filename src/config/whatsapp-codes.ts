import { isNumberCode, NUMBER_PREFIX } from "../base/number-codes.ts";

/** The operator code of a number: `whatsapp:main` is that of `[whatsapp.numbers.main]`. */
export function operatorOfNumber(code: string): string {
  return `${NUMBER_PREFIX}${code}`;
}

/** The code of the number that an operator's code names; null where it is an operator of another channel. */
export function numberOfOperator(operator: string): string | null {
  return isNumberCode(operator) ? operator.slice(NUMBER_PREFIX.length) : null;
}
