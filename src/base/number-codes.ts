/** The operator codes of WhatsApp's numbers begin so: `whatsapp:main`. No other operator's code has a colon. */
export const NUMBER_PREFIX = "whatsapp:";

/** Whether an operator's code is that of a number of WhatsApp. */
export const isNumberCode = (operator: string): boolean => operator.startsWith(NUMBER_PREFIX);
