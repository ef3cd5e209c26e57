/** Who somebody is to the console: a role, of the appliance or of one account. */

/** Roles of the carrier's own staff. */
const STAFF_ROLES = ["OWNER", "OPERATIONS", "FINANCE", "SUPPORT"] as const;
/** Roles of the people of a client company. */
const ACCOUNT_ROLES = ["ACCOUNT_ADMIN", "ACCOUNT_SENDER", "ACCOUNT_READER"] as const;
export const ROLES = [...STAFF_ROLES, ...ACCOUNT_ROLES] as const;

export type Role = (typeof ROLES)[number];

export function isRole(text: string): text is Role {
  return (ROLES as readonly string[]).includes(text);
}

/** Whether a role belongs to one account and sees nothing else. */
export function isAccountRole(role: Role): boolean {
  return (ACCOUNT_ROLES as readonly string[]).includes(role);
}

/** The languages that the console speaks. */
export const USER_LANGUAGES = ["fr", "en"] as const;
export type UserLanguage = (typeof USER_LANGUAGES)[number];

export function isUserLanguage(text: string): text is UserLanguage {
  return (USER_LANGUAGES as readonly string[]).includes(text);
}
