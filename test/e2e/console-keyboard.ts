/** Somebody who has a keyboard and no mouse: what they do goes through keys, what they see is read from the page. */
import { expect } from "vitest";
import type { Visitor } from "./console-visitor.ts";

/** Controls that the keyboard passes until one is found, at most. */
const MAX_STEPS = 160;
/** So long a key is given to be listened to: pages listen from the frame after the one that shows them. */
const TWO_FRAMES = "new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown)))";

export type Keyboard = {
  /** Goes to a page by `g` and its letter. */
  readonly page: (letter: string) => Promise<void>;
  /** Presses Tab until the focus is where the selector says. */
  readonly to: (selector: string) => Promise<void>;
  readonly press: (...keys: readonly string[]) => Promise<void>;
  readonly type: (text: string) => Promise<void>;
  /** Replaces what stands in the field that has the focus. */
  readonly retype: (text: string) => Promise<void>;
  /** Goes to a field, and types into it. */
  readonly fill: (selector: string, text: string) => Promise<void>;
  /** Goes to something, and presses Enter on it. */
  readonly enter: (selector: string) => Promise<void>;
  /** Resolves when something is shown. */
  readonly sees: (selector: string, text?: string) => Promise<void>;
  /** Resolves when something is shown no more. */
  readonly seesNo: (selector: string) => Promise<void>;
  /** Gives the second factor again if it is asked for before `selector` is shown. */
  readonly confirmed: (selector: string) => Promise<void>;
};

export function keyboardOf(visitor: Visitor): Keyboard {
  const { page, settled, recoveryCodes } = visitor;
  let codes = 0;
  const isAt = (selector: string): Promise<boolean> =>
    page.evaluate(`document.activeElement?.matches(${JSON.stringify(selector)}) ?? false`);
  const press = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const sees = async (selector: string, text?: string): Promise<void> => {
    await page
      .locator(selector, text === undefined ? {} : { hasText: text })
      .first()
      .waitFor();
  };
  const to = async (selector: string): Promise<void> => {
    await page.locator(selector).first().waitFor();
    for (let step = 0; step < MAX_STEPS; step++) {
      if (await isAt(selector)) return;
      await page.keyboard.press("Tab");
    }
    throw new Error(`the keyboard does not come to ${selector} on ${page.url()}`);
  };
  const enter = async (selector: string): Promise<void> => {
    await to(selector);
    await press("Enter");
  };
  return {
    press,
    sees,
    to,
    enter,
    type: (text) => page.keyboard.type(text),
    retype: async (text) => {
      await press("Control+A");
      await page.keyboard.type(text);
    },
    fill: async (selector, text) => {
      await to(selector);
      await press("Control+A");
      await page.keyboard.type(text);
    },
    seesNo: (selector) => page.locator(selector).first().waitFor({ state: "detached" }),
    page: async (letter) => {
      // Nobody goes on before what was pressed is done.
      await settled();
      // Letters are for whoever types into no field: leave it.
      await page.evaluate(TWO_FRAMES);
      if (await isAt("input, select, textarea")) await press("Shift+Tab");
      for (let step = 0; step < MAX_STEPS && (await isAt("input, select, textarea")); step++)
        await press("Shift+Tab");
      await press("g", letter);
      await page.evaluate(TWO_FRAMES);
      await page.locator("h1").waitFor();
      await settled();
    },
    confirmed: async (selector) => {
      const code = page.locator("dialog[open] input[name=code]");
      await page.locator(selector).first().or(code).first().waitFor();
      if (await code.isVisible()) {
        await enter("dialog[open] form > .button.quiet");
        await to("dialog[open] input[name=recovery]");
        await page.keyboard.type(String(recoveryCodes[codes++]));
        await press("Enter");
      }
      await sees(selector);
    },
  };
}

/** What is wrong with a page as it stands: it scrolls sideways, or shows an error. */
export async function noFaultOn({ page, complaints, strangers }: Visitor, what: string): Promise<void> {
  const wide = await page.evaluate("document.documentElement.scrollWidth > innerWidth");
  const errors = await page.locator("main [role=alert]").allTextContents();
  expect([what, wide, errors, complaints, strangers]).toEqual([what, false, [], [], []]);
}
