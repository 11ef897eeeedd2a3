import { MIXED, NAMES } from './random-words.js';

/**
 * Credentials by their looks: JWTs, keys of well-known services, private keys. A space marks the end of the beginning, which is
 * searched for first. Patterns contain no other space.
 */
export const LOOKS: readonly string[] = [
  // General forms
  String.raw`\b(?:v[1-4]\.(?:local|public)|k[1-4]\.(?:local|secret))\. [\w-]{24,}(?:\.[\w-]{1,512})?`,
  String.raw`\b(?:DPoP|SSWS|GenieKey|NTLM|Negotiate|Macaroon)\s (?=[\w.~+/=-]{0,64}\d|YI|TlRM)[\w.~+/=-]{16,}`,
  String.raw`\beyJ [\w-]{6,512}(?:(?:\.|%2E)[\w-]*){1,4}`,
  String.raw`\b[Bb]earer (?:\s|%20|:){1,4}(?!\w{1,32}=[^=\s])(?:[\w.~+/=-]{16,}|(?=[\w.~+/=-]{0,15}\d)[\w.~+/=-]{8,})`,
  String.raw`\b[Bb]earer,\s? (?=[\w.~+/=-]{0,64}\d)[\w.~+/=-]{16,}`,
  String.raw`\bPuTTY-User-Key-File-\d [\s\S]*?(?:Private-MAC:[^\n]*|$)`,
  String.raw`\b[Bb]asic (?:\s|%20){1,4}(?![a-z]{1,32}\/)(?=[\w-]{0,64}[\d+/=]|\w{0,64}[a-z][A-Z])[\w+/=-]{8,}`,
  String.raw`----[-\x20]BEGIN \x20[A-Z\d\x20]*PRIVATE\x20KEY(?:\x20BLOCK)?[-\x20]----[\s\S]*?(?:----[-\x20]END\x20[A-Z\d\x20]*PRIVATE\x20KEY(?:\x20BLOCK)?[-\x20]----|$)`,
  // The same in base64, but not certificates and public keys
  String.raw`\bLS0tLS1CRUdJTiB (?!D|QVUJM)[\w+/=]{16,}`,
  String.raw`\bAGE-SECRET-KEY-(?:PQ-)?1 [A-Z\d]{20,}`,
  String.raw`\bbase64: [\w+/]{43}=(?![\w+/=])`,
  String.raw`\bDigest\susername= [^\n]{1,512}?response="?\w{32,64}`,
  String.raw`\bmac=" [\w+/]{43}="`,
  String.raw`\bSharedKey(?:Lite)?\s [\w-]{1,64}:[\w+/]{43}=`,
  String.raw`\bSWMTKN-1- [\w-]{40,}`,
  String.raw`\$(?:2[abxy]?|[156HPS]|apr1|argon2i?d?|scrypt|y|7)\$ [\w./+=,$-]{20,}`,
  String.raw`\$pbkdf2 [\w-]{0,16}\$[\w./+=,$-]{20,}`,
  String.raw`\bpbkdf2_ \w{1,8}\$[\w./+=,$-]{20,}`,
  String.raw`\b(?:pbkdf2|scrypt):[\w:]{1,32}\$ [\w./+=$-]{20,}`,
  String.raw`\{S?SHA(?:256|384|512)?\} [\w+/=]{16,}`,
  String.raw`\bSCRAM-SHA-\d{1,3}\$\d{1,8}: [\w+/=$:]{20,}`,
  String.raw`\$ANSIBLE_VAULT; \d\.\d;AES256(?:;[\w.-]{1,64})?[\s\da-f]{32,}`,
  String.raw`\bt=\d{10},v1= [\da-f]{64}`,
  // Beginnings that hardly any other words have; names of several words, and those without a digit, do not count
  String.raw`\b(?:(?:do[opr]_v1|nfp|napi|github_pat|sbp(?:_v\d)?|rnd|pcsk|dbt[cstu]|e2b|jina|wandb_v1|hc(?:[axm]i|am)k|y0|sgp|AVNS|pscale_(?:tkn|pw|oauth)|gh[opsru]|npm|rubygems|sq[apu]|bk(?:ua|ct|aj|at)|CCIP(?:AT|RJ)|CLOJARS|KGAT|shp(?:[cpu]a|at|ss|tka)|atkn|pdl_(?:(?:live|sdbx)_apikey|ntfset)|xnd_(?:production|development)|lsv2_(?:pt|sk)|rpa|crsr|hex|aio|lin_(?:oauth|wh)|fig[dou]|rdme|tfp|CCDB1|zpka|unkey|ajkey|cfsk_ma_prod|pn[bu]|ph[sx]|dd[opw]|cfut|vc[akpr]|bb_live|tr_prod|sk_prod)_|live_(?=[\w-]{40,48}(?![\w-]))|(?:HRKU|GOCSPX|tskey(?:-[a-z]{3,8})?|pypi|NR(?:AK|II|JS|RA)|sq0(?:atp|csp)|Mid-server|sec-c|nvapi|tvly(?:-dev|-prod)?|ico|CFPAT|fio-u|signkey-[a-z]{1,16})-|(?:gsk|xai|pplx|r8|fw|tgp_v1|pa)[-_]|(?:ya29|hv[bsr]|dp\.\w{2,5}(?:\.\w{1,32})?|snyk_[su]at\.\w{8}|mlsn)\.|1\/\/0|GR1348941|sha256~|AIza|ops_eyJ|AQVN|EZ[AT]K|AKCp|AQ\.Ab|tk-\w{2,4}-|nsec1|AKID) (?!${NAMES})(?=[\w-]{0,40}\d)[\w-]{16,}`,
  String.raw`\b(?:hf|api_org)_ [A-Za-z\d]{16,}`,
  String.raw`\b(?:PLAK|SK|dapi|dose|fc-|pul-|ATTA|v1\.) [\da-f]{32,}`,
  String.raw`\b(?:sdk-|api-|mob-|xa[ap]t-|pat-(?:na|eu)\d-|(?:access|link)-(?:production|sandbox|development)-|amzn\.mws\.|waka_|ctx7sk-) [\da-f]{8}-[\da-f-]{27}`,
  String.raw`\b(?:ABSK|bedrock-api-key-|IQoJb3JpZ2lu|F[wQ]oGZXIvYXdz|essu_|MDAxY2xvY2F0aW9u|PHNhbW[wx]|gl(?:sa|c)_|sntry[su]_|whsec_|eyJrIjoi|dG9rOj|cmVmdGtuOj|fm[12]_|fo1_|gAAAAA|cflt|TlRMTVNTUAA) [\w+/=%-]{20,}`,
  // Clouds
  String.raw`\b00(?=[\w-]{0,39}[a-z])(?=[\w-]{0,39}[A-Z])(?=[\w-]{0,39}\d)[\w-]{40}(?![\w-])`,
  String.raw`\b(?:AKIA|ASIA|AKSI|GOOG1) [A-Z\d]{16,57}\b(?:["\'\s,:;|]{1,4}(?:[\w+/]{40}(?![\w+/])|[\w+/]{27}=))?`,
  String.raw`\bSCW [A-Z\d]{17}\b(?:["\'\s,:;|]{1,4}[\da-f]{8}-[\da-f-]{27})?`,
  String.raw`\bAAAA [\w-]{7}:APA91b[\w-]{60,}`,
  String.raw`\bnpg_ [A-Za-z\d]{12,}`,
  String.raw`\b4\/0A [\w-]{30,}`,
  String.raw`\b(?:Account|SharedAccess)Key= [\w+/=]{8,}`,
  String.raw`\bs\.(?=[A-Za-z]*\d)[A-Za-z\d]{24}\b`,
  String.raw`\bLTAI [A-Za-z\d]{12,}`,
  String.raw`\bdt0[a-z]\d\d\. [A-Z\d]{8,24}\.[A-Z\d]{32,}`,
  String.raw`\bt1\. [\w-]{20,}\.[\w-]{40,}`,
  String.raw`\bA3- [A-Z\d]{6}(?:-[A-Z\d]{5,11}){4,5}`,
  String.raw`\bpat\. [\w-]{22}\.[\da-f]{24}\.\w{20}`,
  String.raw`\bv1\.0- [\da-f]{24}-[\da-f]{140,}`,
  // Source code and packages
  String.raw`\bgl(?:pat|ptt|dt|rtr?|soat|cbt|ft|imt|agent|oas|ffct|wt)- [\w-]{16,}(?:\.\w{2,16}){0,3}`,
  String.raw`\bAT(?:ATT3|CTT3|BB) [\w=-]{20,}`,
  String.raw`\boy2 [a-z\d]{43}`,
  String.raw`\bcio [A-Za-z\d]{32}\b`,
  // Single sign-on
  String.raw`\b(?:ST|PT|TGT|PGT|PGTIOU)- \d{1,16}-(?=[\w.-]{0,64}\d)[\w.-]{20,}`,
  // Payment
  String.raw`\b(?:pi|seti|src|cuss)_ \w{1,64}_secret_[A-Za-z\d]{12,}`,
  String.raw`\bAQE [\w+/=]{40,256}-[\w+/=-]{16,}`,
  String.raw`\b[5KL][1-9A-HJ-NP-Za-km-z]{50,51}\b`,
  String.raw`\b(?:[rse]k|cs|rzp)_(?:org_)?(?:live|test)_ \w{8,}`,
  String.raw`\b[es]k_ (?=[\da-z]*?\d[a-z]+\d)[\da-z]{24,}`,
  String.raw`\bpk_ (?:[\da-f]{34}|prod_[A-Z\d]{28})\b`,
  String.raw`\bFLWSECK(?:_TEST)?- [\w-]{12,}`,
  String.raw`\bAPP_USR- [\w-]{40,}`,
  String.raw`\bA21AA [\w-]{80,}`,
  String.raw`\baccess_token\$(?:production|sandbox)\$ \w{12,}\$\w{16,}`,
  String.raw`\bEAAA [\w-]{50,}`,
  String.raw`\bsecret- (?:(?:live|test)-[\w=-]{16,}|(?=[A-Za-z]{0,64}\d)[A-Za-z\d]{36,})`,
  String.raw`\b(?<!(?:pk|evt|cus|sub|feat|mtr)_)(?:live|test)_ (?=[A-Za-z]*\d+[A-Za-z])[A-Za-z\d]{24,}`,
  String.raw`\bprivate_ [A-Za-z0-9+/]{20,64}=`,
  String.raw`\b[xyz]prv [A-Za-z\d]{90,}`,
  String.raw`\b(?:infura\.io|alchemy(?:api)?\.(?:com|io)|quiknode\.pro)\/ (?:ws\/)?(?:v\d\/)?[\w-]{24,}`,
  // Messages
  String.raw`\bKEY0 [A-F\d]{28,}_\w{16,}`,
  String.raw`\bxox[abcdeoprs]- [\w%+/-]{8,}`,
  String.raw`\bxapp- [\w-]{8,}`,
  String.raw`\bhooks\.slack\.com\/(?:services|workflows|triggers)\/ [\w/]{8,}`,
  String.raw`\bdiscord(?:app)?\.com\/api\/ (?:v\d{1,2}\/)?webhooks\/\d+\/[\w-]{16,}`,
  String.raw`(?:\b|bot)\d{8,10}: (?:AA[\w-]{32,}|(?=[\w-]{0,34}[A-Z])(?=[\w-]{0,34}[a-z])[\w-]{35}(?![\w-]))`,
  String.raw`\bSG\. [\w-]{12,}\.[\w-]{12,}`,
  String.raw`\bkey- [a-z\d]{32}\b`,
  String.raw`\bAC[\da-f]{32}(?::|,\x20) [\da-f]{32}\b`,
  String.raw`\bx(?:key|smtp)sib- [\da-f]{32,}-\w{8,}`,
  String.raw`\b(?:webhook|outlook)\.office(?:365)?\.com\/webhook(?:b2)?\/ [\w@/-]{16,}`,
  String.raw`\b[MNO][\w-]{23,27}\. [\w-]{6}\.[\w-]{27,}`,
  String.raw`\bEAAC [A-Za-z\d]{20,}`,
  String.raw`\bEAA [A-Za-z\d]{60,}`,
  String.raw`\bIG(?:QV|AA) [\w-]{40,}`,
  String.raw`\bA{20,} [\w%]{30,}`,
  String.raw`\bre_ [A-Za-z\d]{8}_[A-Za-z\d]{20,}`,
  String.raw`\bmfa\. [\w-]{60,}`,
  String.raw`\bmd- [\w-]{22}\b`,
  String.raw`\bhooks\.zapier\.com\/hooks\/catch\/ \d+\/\w{4,}`,
  String.raw`\/(?:build_hooks|integrations\/deploy)\/ [\w/]{20,}`,
  String.raw`\bmaker\.ifttt\.com\/trigger\/ [\w-]{1,64}\/(?:json\/)?with\/key\/[\w-]{8,}`,
  String.raw`\boauth: [a-z\d]{30}\b`,
  // Language models
  String.raw`\bsk-(?:proj|ant|or|svcacct|admin|None|lf|helicone)- [\w-]{12,}`,
  String.raw`\b(?:c?sk|sess)- [A-Za-z\d]{20,}`,
  // Tools
  String.raw`\bst\. [\da-f]{24}(?:\.[\da-f]{32}){2}`,
  String.raw`\bS[ACNOUX][A-Z2-7]{20} [A-Z2-7]{36}\b`,
  String.raw`\/private- \w{32}\/basic\.ics`,
  String.raw`\baad3b435b51404eeaad3b435b51404ee: [\da-f]{32}\b`,
  String.raw`\b00D \w{12,15}(?:!|%21)[\w.]{30,}`,
  String.raw`\b[12]\/\d{15,17} (?:\/\d{15,17})?:[\da-f]{32}\b`,
  String.raw`\b1000\. [\da-f]{32}\.[\da-f]{32}`,
  String.raw`\b\d{13,17}\| [\w-]{27}\b`,
  String.raw`\b2[A-Za-z\d]{26}_ [A-Za-z\d]{21}\b`,
  String.raw`:\w{1,32}\. [\da-f]{56}\b`,
  String.raw`\b0\.[\da-f]{8}-[\da-f-]{27}\. \w{30}:[\w+/]{22}==`,
  String.raw`\bsl\.(?:u\.)? [\w-]{120,}`,
  String.raw`\bAPI- (?=[A-Z]*\d)[A-Z\d]{25,}`,
  String.raw`\bsk[A-Za-z\d]{80,}`,
  String.raw`\bdnkey- [\w=-]{26}-[\w=-]{40,}`,
  String.raw`\bu\+ [\w+-]{18}(?![\w+-])`,
  String.raw`\b(?:secret|ntn)_ [A-Za-z\d]{40,}`,
  String.raw`\bpat\w{14}\. [\da-f]{32,}`,
  String.raw`\bkey(?=[A-Za-z]*\d[A-Za-z\d]*\b)(?=\d*[A-Za-z])[A-Za-z\d]{14}\b`,
  String.raw`\bpk_ \d{8}_[A-Z\d]{32}`,
  String.raw`\b[sp]k\.eyJ [\w-]{10,}\.[\w-]{20,}`,
  String.raw`\bPMAK- [\da-f]{16,}-[\da-f]{16,}`,
  String.raw`\bsyt_ \w{1,64}_\w{20}_\w{6}`,
  String.raw`\bMII[\w+/]{3}I (?:BADANBg|BAAKC)[\w+/=\s\\]{32,}`,
];

/** In place of `\b`: a word begins after an underscore, too, and after an escape: `\nghp_x`, `%22ghp_x`, `\u0022ghp_x`. */
export const WORD_START = String.raw`(?<!(?<!\\(?=[bfnrtv])|\\u[\da-f]{3}|\\x[\da-f]|%(?:25)?[\dA-Fa-f])[A-Za-z\d])`;

/** Looks that begin like any word, so that they are searched for only where their middle is. */
export const LOOKS_BY_MIDDLE: readonly (readonly [middle: RegExp, look: RegExp])[] = [
  [/8Q~/, /[\w~.]{3}8Q~[\w~.-]{30,}/g],
  [/AZDO/, /[A-Za-z\d]{76}AZDO\w{4}/g],
  [/_mmk/, /[A-Za-z\d]{6}_\w{29}_mmk\b/g],
  [/\.atlasv1\./, /\w{0,16}\.atlasv1\.[\w-]{40,}/g],
  [/\.\w{6}:[\w-]{43}/, /(?<!\w)\w{6}\.\w{6}:[\w-]{43}(?![\w-])/g],
  [
    /:[\da-f]{64}|-us\d|-[\da-f]{8}-[\da-f]{8}|NRAL|FFFF/,
    /(?<![A-Za-z\d])(?:[\da-f]{24}(?:[\da-f]{8})?:[\da-f]{64}(?:[\da-f]{64})?|[\da-f]{32}-(?:us\d{1,2}|[\da-f]{8}-[\da-f]{8})|(?:[\da-f]{6}|eu01xx)[\da-f]{30}(?:NRAL|FFFF))\b/g,
  ],
  // Keys of Azure, of which a part says what service they are for
  [
    /JQQJ9|A(?:CDb|PIM|z[CFS])|\+A/,
    /(?<![\w+/-])(?:[A-Za-z\d]{52}JQQJ9[A-Za-z\d]{27}|[A-Za-z\d]{42}AzSe[A-Za-z\d]{6}|[\w+/-]{33}(?:[\w+/-]{11}(?:[\w+/]{32})?)?(?:\+A\w\w|ACDb|APIM|Az\w\w)[\w+/-]{6}={1,2})(?![\w+/=-])/g,
  ],
  // Of services that are not known: `acme_api_8Xk2aB9dE1`. Names of functions have further parts
  [
    /_(?=[A-Za-z\d]{0,32}\d)(?=[A-Za-z\d]{0,32}[A-Z])[A-Za-z\d]{20}/,
    new RegExp(
      String.raw`${WORD_START}(?:(?:test)?[sae]k|(?<=[a-z\d]_)(?:api|[po]at|rw|token|secret))_(?=[A-Za-z\d]{20})${MIXED}{20,}`,
      'g',
    ),
  ],
  // Random words with a single digit: `?code=aBcD1eFgHiJkLmNo`, `no session with id aBcD1eFgHiJkLmNo`
  [
    /[?&]\w{1,24}=[\w-]{16}|[Ss]ession [a-z: ]{0,64}[\w-]{16}/,
    new RegExp(
      String.raw`(?<![\w-])(?=[\w-]{16})(?<=[?&](?:(?:\w{1,16}_)?(?:code|ticket)|key|refresh|access|invite|verify|confirm|tok|licen[cs]e)=|(?<!(?:checkout|view|debug) )\b[Ss]ession(?: (?:with|id|key|not|found|expired|invalid|unknown|created)){0,3}:? )${MIXED}{16,512}(?![\w/%~-]|\.\w)`,
      'g',
    ),
  ],
  // What is left of a private key
  [
    /-----END [A-Z ]{0,32}PRIVATE KEY/,
    /(?<![\w+/=])(?:[\w+/=]{16,128}[\s\\]{1,4}){1,64}-----END [A-Z ]{0,32}PRIVATE KEY(?: BLOCK)?-----/g,
  ],
];
