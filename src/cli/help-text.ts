/** Texts of `--help`: examples of each command, and the catalogue's words for commands, arguments and flags. */
import type { Flag, HelpValues, Positional, Usage } from "../admin/command.ts";
import type { Code, Locale, Phrase } from "../i18n/phrase.ts";
import { hasText, renderIn } from "../i18n/text.ts";

/** How commands are typed, by their names; the same in every language. */
export const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  serve: ["serve --config /etc/bendre/config.toml"],
  demo: ["demo", "demo --once"],
  smsc: ["smsc --port 2775"],
  "whatsapp-sim": ["whatsapp-sim --port 2776 --webhook http://127.0.0.1:8080/whatsapp/webhook"],
  install: ["install", "install --uninstall", "install --root /srv/image --user sms"],
  licences: ["licences"],
  "completion bash": ["completion bash > /etc/bash_completion.d/bendre"],
  "completion zsh": ["completion zsh > /usr/local/share/zsh/site-functions/_bendre"],
  "completion fish": ["completion fish > /usr/share/fish/vendor_completions.d/bendre.fish"],
  "config check": [
    "config check --config /etc/bendre/config.toml",
    "config check --strict --no-secrets --config config.toml",
  ],
  doctor: ["doctor", "doctor --config /etc/bendre/config.toml --json"],
  "config show": ["config show"],
  "config diff": ["config diff"],
  "config reload": ["config reload"],
  "backup create": ["backup create", "backup create /mnt/usb/bendre.backup"],
  "backup verify": ["backup verify /mnt/usb/bendre.backup"],
  "backup restore": [
    "backup restore /mnt/usb/bendre.backup",
    "backup restore /mnt/usb/bendre.backup --replace",
  ],
  "backup list": ["backup list"],
  "backup drill": ["backup drill"],
  "backup resume": [
    "backup resume --list",
    "backup resume --waiting hold",
    "backup resume --waiting policy --class OTP --died-at 2026-03-01T09:30:00Z",
  ],
  "metrics rules": ["metrics rules > /etc/prometheus/rules/bendre.yml"],
  "metrics dashboard": ["metrics dashboard > bendre.json"],
  "account create": [
    'account create --name "Pharmacie du Marché" --billing prepaid --short-name pharmacie',
    "account create --name Mairie --billing postpaid --credit-limit 500000",
  ],
  "account list": ["account list"],
  "account show": ["account show pharmacie"],
  "account set": [
    "account set pharmacie --marketing-hours 09:00-18:00 --marketing-per-day 1",
    "account set mairie --credit-limit 750000 --charge-on delivered",
  ],
  "account suspend": ['account suspend pharmacie --reason "invoice of May not paid"'],
  "account resume": ["account resume pharmacie"],
  "account rename": ['account rename pharmacie "Pharmacie de la Gare"'],
  "account close": ["account close pharmacie", "account close pharmacie --force"],
  "key create": [
    "key create pharmacie --name shop --scopes all",
    "key create pharmacie --name reports --scopes MESSAGES_READ,ACCOUNT_READ --expires-at 2027-01-01",
  ],
  "key list": ["key list pharmacie"],
  "key revoke": ["key revoke 7K3M9QWXTR2A"],
  "user create": [
    "user create awa@example.bf --role OWNER",
    "user create salif@pharmacie.example --role ACCOUNT_ADMIN --account pharmacie --language fr",
  ],
  "user list": ["user list", "user list --account pharmacie"],
  "user link": ["user link awa@example.bf"],
  "user role": ["user role awa@example.bf --role FINANCE"],
  "user delete": ["user delete salif@pharmacie.example"],
  "user disable": ["user disable salif@pharmacie.example"],
  "user enable": ["user enable salif@pharmacie.example"],
  "user reset": ["user reset awa@example.bf"],
  "compat create": ["compat create pharmacie --user shop --class TRANSACTIONAL --sender PHARMACIE"],
  "compat list": ["compat list pharmacie"],
  "compat revoke": ["compat revoke shop"],
  "wallet topup": ["wallet topup pharmacie 50000 --reference OM-240311-8812"],
  "wallet adjust": ['wallet adjust pharmacie -500 --reason "top-up entered twice"'],
  "wallet show": ["wallet show pharmacie"],
  "wallet statement": [
    "wallet statement pharmacie --from 2026-03-01 --to 2026-03-31",
    "wallet statement pharmacie --csv > march.csv",
  ],
  "wallet invoice": ["wallet invoice pharmacie --from 2026-03-01 --to 2026-03-31"],
  "sender request": ["sender request pharmacie PHARMACIE"],
  "sender approve": ["sender approve pharmacie PHARMACIE"],
  "sender reject": ['sender reject pharmacie SONABEL --reason "the name of another company"'],
  "sender register": [
    "sender register pharmacie PHARMACIE --operator orange",
    "sender register pharmacie PHARMACIE --operator all",
  ],
  "sender unregister": ["sender unregister pharmacie PHARMACIE --operator orange"],
  "sender list": ["sender list pharmacie"],
  "sender pending": ["sender pending"],
  "suppression add": [
    'suppression add pharmacie "70 12 34 56" --class MARKETING',
    'suppression add --everywhere 22670123456 --class all --note "asked by letter"',
  ],
  "suppression remove": ["suppression remove pharmacie 22670123456 --class MARKETING"],
  "suppression import": ["suppression import pharmacie numbers.csv --class MARKETING"],
  "suppression list": ["suppression list pharmacie", "suppression list --everywhere --csv > numbers.csv"],
  "price set": [
    "price set pharmacie --operator orange --amount 12",
    "price set pharmacie --operator orange --amount 10 --class OTP",
  ],
  "price unset": ["price unset pharmacie --operator orange --class OTP"],
  "whatsapp sync": ["whatsapp sync"],
  "whatsapp template": ["whatsapp template list"],
  "whatsapp release": ["whatsapp release commande_prete fr"],
  "price list": ["price list pharmacie"],
  "price history": ["price history pharmacie"],
  "account find": ["account find pharm"],
  "batch find": ["batch find --status QUEUED,SENDING", "batch find --account pharmacie --reference mars"],
  "batch rejections": ["batch rejections 01M80D0REWGWD1WATAWAQFTVFP --csv > rejected.csv"],
  "message named": ["message named order-4711 --account pharmacie"],
  "message text": ['message text 01M80D0REW6T9XQ7N0QK2V8DSB --reason "complaint of 3 March"'],
  "inbound text": ['inbound text 17 --reason "complaint of 3 March"'],
  "suppression find": ['suppression find "70 12 34 56"'],
  "wallet preview": ["wallet preview pharmacie 50000 --reference OM-4711", "wallet preview pharmacie -500"],
  "ledger last": ["ledger last"],
  "webhook create": ["webhook create pharmacie --url https://shop.example/hooks/bendre"],
  "webhook rotate": ["webhook rotate 01M80D0REW3BDPJ8XW0N1C6T2F"],
  "batch quote": [
    "batch quote pharmacie batch.json",
    'batch quote pharmacie clients.xlsx --sender FASO --class MARKETING --body "Bonjour {prenom}"',
  ],
  "batch send": [
    'batch send pharmacie --recipients clients.csv --sender FASO --class MARKETING --body "Bonjour {prenom}"',
    "batch send pharmacie --recipients clients.xlsx --sender FASO --class TRANSACTIONAL --body-file texte.txt --quote",
    "batch send pharmacie --recipients clients.csv --column portable --sender FASO --class MARKETING --body-file texte.txt --scheduled-at 2026-12-24T09:00 --yes",
  ],
  "batch list": ["batch list pharmacie --limit 20"],
  "batch show": ["batch show 01M80D0REWGWD1WATAWAQFTVFP"],
  "batch cancel": ['batch cancel 01M80D0REWGWD1WATAWAQFTVFP --reason "wrong text"'],
  "message find": [
    'message find --number "70 12 34 56"',
    "message find --account pharmacie --status FAILED --from 2h",
    "message find --batch 01M80D0REWGWD1WATAWAQFTVFP --csv > batch.csv",
  ],
  "report delivery": [
    "report delivery --by operator --from 7d",
    "report delivery --account pharmacie --by sender --from 2026-03-01 --to 2026-04-01",
  ],
  "message trace": [
    "message trace 01M80D0REWGWD1WATAWAQFTVFP",
    "message trace 01M80D0REWGWD1WATAWAQFTVFP --pcap message.pcap",
  ],
  "queue show": ["queue show", "queue show --watch"],
  "operator status": ["operator status"],
  "operator unanswered": ["operator unanswered --operator orange"],
  "operator receipts": ["operator receipts --operator orange"],
  "operator test": [
    "operator test orange 70123456",
    'operator test orange "+226 70 12 34 56" --sender PHARMACIE --text "Bonjour, ceci est un essai" --wait 120',
  ],
  "operator tests": ["operator tests", "operator tests --operator orange --limit 10"],
  "operator pause": [
    'operator pause orange --reason "their maintenance until 6"',
    'operator pause orange 2 --reason "the second line drops receipts"',
  ],
  "operator resume": ["operator resume orange", "operator resume orange 2"],
  "operator reconnect": ["operator reconnect orange", "operator reconnect orange 2"],
  "operator rename": ["operator rename orange orange-bf"],
  "operator retire": ["operator retire telmob"],
  "inbound list": ["inbound list", "inbound list --operator orange --from 2026-03-01"],
  "webhook list": ["webhook list pharmacie"],
  "webhook show": ["webhook show 01M80D0REWGWD1WATAWAQFTVFP"],
  "webhook update": ["webhook update 01M80D0REWGWD1WATAWAQFTVFP --url https://example.net/sms"],
  "webhook enable": ["webhook enable 01M80D0REWGWD1WATAWAQFTVFP"],
  "webhook disable": ['webhook disable 01M80D0REWGWD1WATAWAQFTVFP --reason "nobody answers there"'],
  "webhook delete": ["webhook delete 01M80D0REWGWD1WATAWAQFTVFP"],
  "webhook test": ["webhook test 01M80D0REWGWD1WATAWAQFTVFP"],
  "webhook replay": ["webhook replay 01M80D0REWGWD1WATAWAQFTVFP --since 2026-03-01T09:30:00Z"],
  "webhook status": ["webhook status"],
  "data export": ["data export 70123456", "data export +22670123456 --json > awa.json"],
  "data erase": ["data erase 70123456", "data erase 70123456 --cancel"],
  "storage show": ["storage show"],
  "storage compact": ["storage compact"],
  "storage purge": ["storage purge --dry-run", "storage purge"],
  "alert list": ["alert list"],
  "alert test": ["alert test"],
  "alert silence": ["alert silence link_down --until 2026-03-01T18:00:00Z"],
  "ledger check": ["ledger check"],
  "clock accept": ["clock accept"],
  "audit list": ["audit list --limit 20", "audit list --actor awa --action wallet --from 7d"],
};

// What help says of a command, its words and its flags, by the catalogue area `help`: a command by its name, a word or a flag by
// `sender register --operator` where it means something of its own there, else by `--operator`.

/** What a command does, in a line. */
export function renderSummary({ name }: Pick<Usage, "name">, locale: Locale): string {
  return renderIn(locale, helpPhrase(name));
}

/** What a word or a flag of a command means. */
export function renderHelp(command: Pick<Usage, "name">, item: Positional | Flag, locale: Locale): string {
  const name = "value" in item ? `--${item.name}` : item.name;
  const own = `${command.name} ${name}`;
  return renderIn(locale, helpPhrase(hasText(`help.${own}`) ? own : name, item.told));
}

/** A test holds that there is one for each. */
function helpPhrase(key: string, params: HelpValues = {}): Phrase {
  return { code: `help.${key}` as Code, params } as Phrase;
}
