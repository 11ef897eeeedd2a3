import { RANDOM_PARAMETER, RANDOM_VALUE } from '../looks/random-words.js';
import { FILTERED } from '../sensitive-names.js';

/** What a shell puts in there: `$DB_PASSWORD`, `"${DB_PASSWORD}"`. */
const VARIABLE = String.raw`["']?\$(?:\{[^}\s]{1,64}\}|[A-Z_][A-Z\d_]{1,64})["']?(?![^\s"'])`;
const VALUE = String.raw`(?!\[Filtered|${VARIABLE}|\*{2,}(?!\S))(?:'[^']{1,512}'|"[^"]{1,512}"?|[^\s"']{1,512})`;

/** Credentials without a name, as single commands take them. The first group stays. */
const SOURCES: readonly string[] = [
  // curl -u me:x, etcdctl --user me:x, http -a me:x
  String.raw`((?<!\b(?:docker|podman|nerdctl)\s[^\n]{0,256})\s(?:-u|--user|--proxy-user)[\s=]{1,3}["']?(?!https?:|\d{1,9}:\d{1,9}(?!\S))[^\s:"']{1,128}:)(?!\[Filtered|${VARIABLE})[^\s"']{1,512}`,
  String.raw`(\b(?:curl\b[^\n]{0,256}?\s-[a-zA-Z]{0,8}u\s?|https?\s[^\n]{0,64}?-a\s)["']?(?!https?:)[^\s:"']{1,128}:)(?!\[Filtered|${VARIABLE})[^\s"']{1,512}`,
  // curl -b a=x
  String.raw`(\bcurl\b[^\n]{0,256}?\s-b\s{0,3})(?=["']?[^\s"']{1,64}=)${VALUE}`,
  // curl --cert file:x
  String.raw`(\bcurl\b[^\n]{0,256}?\s(?:-E|--cert)[\s=]{1,3}["']?[^\s:"']{1,128}:)${VALUE}`,
  // kubectl --client-key-data x, but not a file
  String.raw`((?<![\w-])--(?:client-|tls-)?key(?:-data)?[\s=]{1,3}["']?)(?!\.{0,2}\/|~|-|\[Filtered)(?=[^\s"']{0,128}?\d[A-Za-z]{1,24}\d)(?!\S{1,256}\.[a-z]\w{1,5}["']?(?!\S))[^\s"']{8,512}`,
  // pdftk a.pdf input_pw x
  String.raw`(\b(?:input|user|owner)_pw\s{1,3})${VALUE}`,
  // useradd -p x, psexec -u me -p x, openssl passwd -1 x, iwconfig wlan0 key s:x, chpasswd <<< me:x, net use /user:me x
  String.raw`(\b(?:user(?:add|mod)|psexec\d{0,2})\b[^\n]{0,256}?\s-p\s{1,3})${VALUE}`,
  String.raw`(\bopenssl\s{1,3}passwd\s(?:-\w{1,8}\s{1,3}){0,4})(?!-)${VALUE}`,
  String.raw`(\biwconfig\s[^\n]{0,64}?\skey\s{1,3}(?:s:)?)(?!off\b|on\b)${VALUE}`,
  String.raw`(\bchpasswd\b[^\n|]{0,64}?<<<\s{0,3}["']?[^\s:"']{1,64}:)${VALUE}`,
  String.raw`(\bnet\s{1,3}use\s[^\n]{0,128}?\s\/user:\S{1,64}\s{1,3})(?!\/)${VALUE}`,
  String.raw`(\bhtpasswd\s{1,3}-(?=\w{0,4}n)\w{0,4}b\w{0,4}\s{1,3}\S{1,64}\s{1,3})${VALUE}`,
  // smbclient -U me%x
  String.raw`(\s-U\s{1,3}["']?[^\s%"']{1,64}%)(?!\[Filtered)[^\s"']{1,512}`,
  // lftp -u me,x, vault login x, gh secret set NAME -b x
  String.raw`(\blftp\b[^\n]{0,256}?\s-u\s{1,3}[^\s,]{1,64},)${VALUE}`,
  String.raw`(\b(?:vault\s{1,3}login|ansible-vault\s{1,3}encrypt_string|(?:composer|poetry)\s{1,3}config\s{1,3}(?:(?:pypi|gitlab)-token\.\S{1,64}|(?:github|gitlab)-oauth\.\S{1,64}|http-basic\.\S{1,64}\s{1,3}\S{1,64})|pulumi\s{1,3}config\s{1,3}set\s{1,3}--secret\s{1,3}\S{1,64}|rclone\s{1,3}obscure|gh\s{1,3}secret\s{1,3}set\s{1,3}\S{1,64}\s[^\n]{0,64}?--body|snyk\s{1,3}auth|doctl\s{1,3}auth\s{1,3}init\s{1,3}-t|rabbitmqctl\s{1,3}(?:add_user|change_password)\s{1,3}\S{1,64}|htpasswd\s{1,3}-\w{0,4}b\w{0,4}\s{1,3}\S{1,128}\s{1,3}\S{1,64}|mysqladmin\s[^\n]{0,128}?\spassword|convertto-securestring(?:\s{1,3}-string)?)\s{1,3})(?!-)${VALUE}`,
  String.raw`(\bgh\s{1,3}secret\s{1,3}set\s{1,3}\S{1,64}\s[^\n]{0,64}?-b\s{0,3})${VALUE}`,
  String.raw`(\bvault\s{1,3}(?:kv\s{1,3}put|write)\s{1,3}\S{1,128}\s{1,3})(?!\[Filtered)[^\n]{1,512}`,
  // vault unseal x, cargo login x, bw unlock x, cf auth me x, npm config set _auth x
  String.raw`(\b(?:vault\s{1,3}(?:operator\s{1,3})?unseal|cargo\s{1,3}login|bw\s{1,3}(?:unlock|login\s{1,3}\S{1,64})|cf\s{1,3}auth\s{1,3}\S{1,64}|npm\s{1,3}config\s{1,3}set\s{1,3}_auth)\s{1,3})(?!-)(?=[^\s]{0,64}?\d)${VALUE}`,
  // aws ssm put-parameter --value x, az keyvault secret set --value x, bundle config host me:x, schtasks /rp x
  String.raw`(\b(?:put-parameter|secret\s{1,3}set)\s[^\n]{0,256}?--value[\s=]{1,3})${VALUE}`,
  String.raw`(\bbundle\s{1,3}config\s(?:[^\s:]{1,64}\s{1,3}){1,4}[^\s:]{1,64}:)(?!\/\/|\[Filtered)[^\s"']{1,512}`,
  String.raw`(\b(?:schtasks|cmdkey)\s[^\n]{0,128}?\s\/(?:rp|pass)\s{1,3})${VALUE}`,
  // mc alias set name https://host key x
  String.raw`(\bmc\s{1,3}alias\s{1,3}set(?:\s{1,3}[^\s-]\S{0,256}){3}\s{1,3})${VALUE}`,
  String.raw`(--from-literal[=\s][\w.-]{1,64}=)${VALUE}`,
  String.raw`(\b(?:(?:xfreerdp|rdesktop|mstsc)\b[^\n]{0,256}?\s\/p:|winrs\b[^\n]{0,256}?\s[-/]p:|signtool\b[^\n]{0,256}?\s\/p\s{1,3}))${VALUE}`,
  String.raw`(\becho\s{1,3}["']?[^\s:"']{1,64}:)(?!\[Filtered)[^\s"']{1,512}(?=["']?\s{0,3}\|[^\n]{0,32}chpasswd)`,
  // docker login <<< x, net user me x, net use x /user:me
  String.raw`(\b(?:secrets?|login|kinit|passwd|su|ssh-add|cryptsetup|gpg|pass\s{1,3}insert)\b[^\n|]{0,64}?<<<\s{0,3})${VALUE}`,
  String.raw`(\bnet\s{1,3}user\s{1,3}[^\s/]{1,64}\s{1,3})(?![/*]|\[Filtered)${VALUE}`,
  String.raw`(\bnet\s{1,3}use\s[^\n]{0,128}?\s)(?!\[Filtered)[^\s\\/]{1,512}(?=\s{1,3}\/user:)`,
  // restic -p x, but not a file
  String.raw`(\brestic\b[^\n]{0,256}?\s-p\s{1,3})(?![-.~]|\d{1,3}(?!\S)|\S{0,64}\/)${VALUE}`,
  // runas /user:me x8Qz3vT6, but not the program
  String.raw`(\brunas\s[^\n]{0,128}?\/user:\S{1,64}\s{1,3})(?=[^\s."']{0,64}\d)(?![^\s"']{0,64}\.\w{3}(?!\S))${VALUE}`,
  // oathtool --totp -b x
  String.raw`(\boathtool\s(?:-{1,2}\w{1,16}(?:=\w{1,16})?\s{1,3}){0,4})(?!-)${VALUE}`,
  // ::add-mask::x
  String.raw`(::add-mask::)(?!\[Filtered|${VARIABLE})[^\n]{1,512}`,
  // sip:me:x@host, WIFI:S:home;P:x;;
  String.raw`(\bsips?:[^\s:@/]{1,64}:)[^\s@/:]{1,128}(?=@)`,
  String.raw`(\bWIFI:[^\n]{0,128}?\bP:)(?!\[Filtered)[^;\s]{1,64}`,
  // 334 UGFzc3dvcmQ6, the question of SMTP for a password, and the answer
  String.raw`(\b334 UGFzc3dvcmQ6\s{1,8}(?:[\w>-]{1,8}:?\s{1,3})?)(?!\[Filtered)[\w+/]{4,512}={0,2}(?=\s|$)`,
  // NickServ :IDENTIFY x; USER me and PASS x on the next line
  String.raw`(\bnickserv :?identify\s)${VALUE}`,
  String.raw`(\bUSER\s{1,3}\S{1,128}\s{0,3}\r?\n(?:[^\n]{0,64}\n)?[^\n]{0,16}\bPASS\s{1,3})${VALUE}`,
  // A temporary password is generated for root@localhost: x
  String.raw`(\btemporary password is generated for \S{1,128}:\s{1,3})${VALUE}`,
  // jdbc:oracle:thin:me/x@db, CONNECT me/x@db, sqlplus me/x@db
  String.raw`(\b(?:thin:|(?:connect|sqlplus)\s{1,3}(?:-\w{1,8}\s{1,3})?)[^\s/@]{1,64}\/)[^\s@]{1,128}(?=@)`,
  // sqlplus me/x, rman target me/x@db, exp userid=me/x, expdp me/x@db, secretsdump.py domain/me:x@h
  String.raw`(\b(?:sqlplus|rman\s{1,3}target|(?:exp|imp)(?:\s{1,3}userid=|dp\s))\s{0,3}(?:-\w{1,8}\s{1,3})?[^\s/@]{1,64}\/)(?!\[Filtered)[^\s/@]{1,128}`,
  String.raw`(\b\w{1,32}\.py\s(?:[^\n]{0,128}?\s)?[\w.-]{1,64}\/[\w.-]{1,64}:)(?!\[Filtered)[^\s@]{1,128}(?=@)`,
  // https%3A%2F%2Fme%3Ax%40host
  String.raw`(%3A%2F%2F(?:(?!%2F|%40)[^\s&]){0,128}%3A)(?:(?!%2F|%40)[^\s&]){1,128}(?=%40)`,
  // ?code=x&state=y
  String.raw`([?&]code=)(?!\[Filtered)[^&\s"'#]{6,512}(?=&[^\s]{0,256}state=)`,
  String.raw`([?&]state=[^&\s"'#]{0,256}&code=)(?!\[Filtered)[^&\s"'#]{6,512}`,
  // ?key=x, ?ticket=x
  String.raw`((?:[?&]|(?<![\w.-])(?=code=\w{0,16}[a-z]))${RANDOM_PARAMETER})(?!\[Filtered)${RANDOM_VALUE}(?![\w./%~-])`,
  // ?u=me&p=x of InfluxDB
  String.raw`(\bu=[^&\s]{1,64}&p=)${RANDOM_VALUE}`,
  // host:port:database:user:x of .pgpass
  String.raw`((?<![\w.:*-])(?=[\w.-]{0,127}[g-z.*]|db\d{0,4}:\d{4,5}:[\w.-]{0,63}[g-z])[\w.*-]{1,128}:(?:\d{2,5}|\*):[\w*.-]{1,64}:[\w*.@-]{1,64}:)(?!\[Filtered|(?:(?:(?:dis|re)?connect|start|stopp|clos|fail)(?:ed|ing)|ready|healthy|active|idle|done|latest|list|lagging)(?![\w-]))[^\s:]{4,512}`,
  // Rules of Redis: user me on >x
  String.raw`(\b(?:user|setuser)\s{1,3}\S{1,64}\s[^\n>]{0,64}?[>#])(?!\[Filtered)[^\s"']{4,512}(?=\s{1,3}[~+@&-])`,
  // c=biws,r=nonce,p=x of SCRAM
  String.raw`(\bc=[\w+/=]{4,64},r=[^,\s]{1,256},p=)(?!\[Filtered)[\w+/=]{1,512}`,
  // snmp-server community x RO, rocommunity x, snmp community: x
  String.raw`(\b(?:snmp[\w-]{0,12}\s{1,3}community(?:\s{1,3}string)?|r[ow]community6?)\s{0,3}[:=]?\s{1,3})(?!(?:is|was|for|of|not|name|settings?|strings?)\b)${VALUE}`,
  // credentials me:x
  String.raw`(\b(?:cred(?:ential)?s?|userinfo):?\s{1,3}(?:for\s{1,3})?[^\s:/]{1,64}(?::|\s?\/\s))(?!\[Filtered)(?=[^\s"']{0,64}?\d)[^\s"',;]{6,512}`,
];
/** The same where the case matters: -p is another option than -P. */
const CASE_SENSITIVE_SOURCES: readonly string[] = [
  // mysql -px, redis-cli -a x, docker login -p x
  String.raw`(\b(?:redis-cli\b[^\n]{0,256}?\s-a|(?:sshpass|certutil|security\s{1,3}unlock-keychain|altool|mongo\w{0,8}|(?:docker|podman|nerdctl|buildah|oras|oc|cf|az|registry|crane\s{1,3}auth)\s{1,3}login|beeline|hydra|twine\s{1,3}upload|cqlsh|cypher-shell|7z[ar]?)\b[^\n]{0,256}?\s-[pa])\s{0,3})(?![-<>|])${VALUE}`,
  // mysql -px, but mysql -p shop asks for the password of a database
  String.raw`(\b(?:mysql\w{0,8}|mariadb(?:-\w{1,8})?)\b[^\n]{0,256}?\s-p)(?![-<>|]|\s)${VALUE}`,
  String.raw`(\b(?:mysql\w{0,8}|mariadb(?:-\w{1,8})?)\b[^\n]{0,256}?\s-p\s)(?=["']?[^\s"']{0,64}\d)(?![-<>|])${VALUE}`,
  // rar a -hpx, tool -u me -p x, but not -p 80:80
  String.raw`(\b(?:un)?rar\s[^\n]{0,256}?\s-h?p)${VALUE}`,
  String.raw`((?<!\b(?:mysql|mariadb)[^\n]{0,256})\s-u\s{1,3}(?!-)\S{1,128}\s{1,3}(?:--?\w[\w-]{0,32}(?:[=\s]\s?[^\s-]\S{0,64})?\s{1,3}){0,3}-p\s{1,3})(?!-|(?:emerg|alert|crit|err|warning|notice|info|debug)\b|\d[\d.:-]{0,64}(?:\/\w{1,8})?(?!\S))(?!\.{0,2}\/|[<>|])${VALUE}`,
  // unzip -P x, sqlcmd -P x, ipmitool -P x, ldapsearch -w x, openssl enc -k x, ssh-keygen -N x, snmpget -c x
  String.raw`(\b(?:(?:un)?zip|sqlcmd|osql|bcp|isql|ipmitool|security\s{1,3}import|mosquitto_\w{1,8})\b[^\n]{0,256}?\s-P\s{0,3})${VALUE}`,
  String.raw`(\b(?:ldap\w{3,8}\b[^\n]{0,256}?\s-w|openssl\s{1,3}\w{1,8}\b[^\n]{0,256}?\s-k)\s{1,3})${VALUE}`,
  String.raw`(\bssh-keygen\b[^\n]{0,256}?\s-[NP]\s{1,3})${VALUE}`,
  String.raw`(\s-[cAX]\s{1,3}(?<=\bsnmp\w{2,10}\b[^\n]{0,256}))${VALUE}`,
  // echo x | sudo -S, echo x | docker login --password-stdin
  String.raw`(\b(?:echo|printf)\s{1,3}(?:-\w{1,3}\s{1,3}|["']?%s["']?\s{1,3})?)${VALUE}(?=\s{0,3}\|[^\n|]{0,128}?(?:sudo\s[^\n|]{0,32}?-S|--(?:password|passphrase|token|with-token)(?:-stdin|-fd)?|\bpasswd|\bsecrets?\s{1,3}(?:create|set|put))\b)`,
  String.raw`(\bsudo\s[^\n|]{0,32}?-S\b[^\n|]{0,64}?<<<\s{0,3})${VALUE}`,
  // a1 LOGIN "me" "x"
  String.raw`(\b[A-Za-z]{1,2}\d{1,6}\s{1,3}LOGIN\s{1,3}(?:"[^"\n]{1,64}"\s{1,3}(?=")|[\w.@+-]{1,64}\s{1,3}(?=\S{1,128}\s{0,3}(?:\r?\n|$))))${VALUE}`,
  // STRIPE_KEY=x1, COOKIE_KEYS=x1,x2
  String.raw`(\b[A-Z][A-Z0-9_]{1,60}_(?:KEY|(?:KEYS|SK)(?=[\s=:"']{1,6}[^\s"']{0,64}?\d[A-Za-z]{1,24}\d))\s{0,2}[=:]\s{0,2}["']?)(?!\[Filtered)(?=[^\s"']{0,64}?\d)[^\s"',;&]{8,512}(?:,[\w+/-]{16,512}={0,2}(?![\w=])){0,16}`,
];
const PATTERNS = [
  ...CASE_SENSITIVE_SOURCES.map((source) => new RegExp(source, 'g')),
  ...SOURCES.map((source) => new RegExp(source, 'gi')),
];
const HINT =
  /\s-[a-zA-Z]{0,8}[upabwkPUNcAXE]|--(?:proxy-)?user|--cert|-key|_pw\s|openssl|iwconfig|--from-lit|_KEY|_SK|thin:|\b(?:connect|sqlplus)\s[^\s/]{1,64}\/|vault\s|snyk|doctl|rabbitmqctl|htpasswd|chpasswd|mysqladmin|securestring|net\s{1,3}use|lftp|echo\s|<<<|\s[>#]\S|(?:cred(?:ential)?s?|userinfo):?\s|rclone|--body|,p=|community|\salias\s|\/p:|%3A%2F%2F|code=|[?&](?:key|refresh|access|[tkpu]|ticket|appid|licen[cs]e|invite|verify|confirm|tok)=|unseal|cargo\s|\bbw\s|\bcf\s|ansible-v|(?:composer|poetry|npm|pulumi|bundle)\s{1,3}config|--value|schtasks|cmdkey|printf\s|sqlplus\s|rman\s|runas\s|signtool\s|winrs\s|oathtool\s|add-mask|\bsips?:|WIFI:|334 UGF|\d\sLOGIN\s|PASS\s|nickserv|temporary password|\b(?:exp|imp)(?:dp)?\s|\.py\s|:(?:\d{2,5}|\*):/i;

/** FTP, SMTP, IMAP and IRC, in capitals; not the names of test files. */
const PROTOCOL_COMMAND =
  /(\b(?:PASS|IDENTIFY|LOGIN\s{1,3}[^\s"]{1,64}|AUTH(?:ENTICATE)?\s{1,3}(?:PLAIN|LOGIN|XOAUTH2|CRAM-MD5|OAUTHBEARER))\s{1,3})(?!\[Filtered|\S{1,128}\.[cm]?[jt]sx?\b)(?=[^\s/"']{0,64}?(?:\d|=(?![^\s=])))(?=[^\s/"']{0,64}?[A-Za-z])[^\s/"']{8,512}(?=[\s"']|$)/g;

/** The same in base64, which has slashes; `AUTH LOGIN usernameRequired` is none. */
const PROTOCOL_LOGIN =
  /(\bAUTH(?:ENTICATE)?\s{1,3}(?:PLAIN|LOGIN|XOAUTH2|CRAM-MD5|OAUTHBEARER)\s{1,3})(?![a-z]{3,64}(?:[A-Z][a-z]{2,64}){1,8}(?![\w+/=]))(?=\w{0,64}(?:[\d+/]|[a-z][A-Z]))[\w+/]{12,512}={0,2}(?=[\s"']|$)/g;

/** Masks credentials that commands take without a name, and those in lines of configuration files. */
export function maskCommandLines(text: string): string {
  const spoken = text.replace(PROTOCOL_COMMAND, `$1${FILTERED}`).replace(PROTOCOL_LOGIN, `$1${FILTERED}`);
  if (!HINT.test(spoken)) return spoken;
  return PATTERNS.reduce((rest, pattern) => rest.replace(pattern, `$1${FILTERED}`), spoken);
}
