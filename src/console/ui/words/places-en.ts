/** Names of pages whose other words come with the page. */
export const PLACES_EN = {
  reports: "Reports",
  alarms: "Alarms",
  appliance: "State",
  backups: "Backups",
  audit: "Audit",
};
