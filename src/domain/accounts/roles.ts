/**
 * Who may do what: the table below says for each permission which roles have it. An operation names the one that it asks for, and the
 * console asks; the command line asks for none, since whoever may open the socket of the server may do everything.
 */

/** What a role may do, and what is asked before. The owner may everything. */
type Rule = {
  readonly roles: readonly Role[];
  /** Whether it changes something. */
  readonly isChange: boolean;
  /** Money and keys: the second factor is asked for again. */
  readonly asksAgain: boolean;
};

const STAFF: readonly Role[] = ["OPERATIONS", "FINANCE", "SUPPORT"];
const TRAFFIC: readonly Role[] = ["OPERATIONS", "SUPPORT"];
const READERS: readonly Role[] = ["ACCOUNT_ADMIN", "ACCOUNT_SENDER", "ACCOUNT_READER"];
const SENDERS: readonly Role[] = ["ACCOUNT_ADMIN", "ACCOUNT_SENDER"];
const ADMINS: readonly Role[] = ["ACCOUNT_ADMIN"];

const reads = (...roles: readonly (readonly Role[])[]): Rule => ({
  roles: ["OWNER", ...roles.flat()],
  isChange: false,
  asksAgain: false,
});
const changes = (...roles: readonly (readonly Role[])[]): Rule => ({ ...reads(...roles), isChange: true });
const costs = (...roles: readonly (readonly Role[])[]): Rule => ({ ...changes(...roles), asksAgain: true });

/** The one table of permissions and roles. Whatever a user of an account may, is of the own account. */
const RULES = {
  "start.read": reads(STAFF, READERS),
  search: reads(STAFF, READERS),
  "operators.read": reads(TRAFFIC),
  "operators.change": changes(["OPERATIONS"]),
  "queue.read": reads(TRAFFIC),
  "messages.read": reads(TRAFFIC, READERS),
  "messages.text": reads(["SUPPORT"], READERS),
  "batches.read": reads(TRAFFIC, READERS),
  "batches.cancel": changes(["OPERATIONS"], SENDERS),
  "batches.quote": reads(SENDERS),
  "batches.send": changes(SENDERS),
  "doubts.read": reads(TRAFFIC),
  "inbound.read": reads(TRAFFIC, READERS),
  "inbound.text": reads(["SUPPORT"], READERS),
  "accounts.read": reads(STAFF, READERS),
  "accounts.change": changes(["FINANCE"]),
  "money.read": reads(["FINANCE"], ADMINS),
  "money.change": costs(["FINANCE"]),
  "prices.read": reads(["FINANCE"], ADMINS),
  "prices.change": costs(["FINANCE"]),
  "books.read": reads(["FINANCE"]),
  "senders.read": reads(STAFF, READERS),
  "senders.request": changes(ADMINS),
  "senders.decide": changes(["OPERATIONS"]),
  "suppressions.read": reads(TRAFFIC, READERS),
  "suppressions.change": changes(SENDERS),
  "webhooks.read": reads(TRAFFIC, ADMINS),
  "webhooks.change": changes(ADMINS),
  "keys.read": reads(["SUPPORT"], ADMINS),
  "keys.change": costs(ADMINS),
  "smpp.read": reads(TRAFFIC, ADMINS),
  "smpp.own": costs(ADMINS),
  "smpp.password": costs(["OPERATIONS"], ADMINS),
  "smpp.manage": costs(["OPERATIONS"]),
  "smpp.kick": changes(["OPERATIONS"]),
  "reports.read": reads(STAFF, READERS),
  "users.read": reads(ADMINS),
  "users.change": costs(ADMINS),
  "alarms.read": reads(TRAFFIC),
  "alarms.change": changes(["OPERATIONS"]),
  "appliance.read": reads(TRAFFIC),
  "appliance.change": changes(["OPERATIONS"]),
  "settings.read": reads(),
  "settings.change": costs(),
  "backups.read": reads(TRAFFIC),
  "backups.change": changes(["OPERATIONS"]),
  "audit.read": reads(["SUPPORT"], ADMINS),
} as const satisfies Record<string, Rule>;

export type Permission = keyof typeof RULES;

/** Every permission that there is. */
export const PERMISSIONS = Object.keys(RULES) as readonly Permission[];

/** The rule of a permission; null of a text that names none. */
export function findRule(permission: string): Rule | null {
  return isPermission(permission) ? RULES[permission] : null;
}

function isPermission(text: string): text is Permission {
  return Object.hasOwn(RULES, text);
}

/** Whether a role has a permission. */
export function may(role: Role, permission: string): boolean {
  return findRule(permission)?.roles.includes(role) ?? false;
}

/** The permissions of a role. */
export function listPermissions(role: Role): Permission[] {
  return PERMISSIONS.filter((permission) => may(role, permission));
}

// Who a user is to the console: a role, of the appliance or of one account.

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
