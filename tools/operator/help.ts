export const GENERAL_HELP = `The operator's command line.

  npm run reunite -- users <command> [options]
  npm run reunite -- sms <command> [options]
  npm run reunite -- stickers <command> [options]
  npm run reunite -- reports <command> [options]

Commands
  users list               the accounts, newest first
  users show <account>     one account
  users ban <account>      keep an account out
  users unban <account>    let it in again
  users delete <account>   delete an account and all that belongs to it
  users export <account>   everything that is stored about an account, as JSON
  sms ranges               number ranges whose SMS are held back
  sms hold <range>         hold SMS to a number range back
  sms release <range>      let them go out again
  sms excluded             accounts whose numbers SMS_COUNTRIES excludes
  stickers create          blank stickers on sheets of labels, as a PDF
  stickers list            the batches that were issued, newest first
  stickers show            one batch or one code
  stickers export          the codes of a batch, as CSV
  stickers print           the stickers of a batch again
  stickers void            stop a batch or a code
  stickers restore         let it work again
  stickers formats         the sheets and rolls that can be printed on
  stickers calibrate       a page that shows how far a printer is off
  reports list             what finders and owners reported to you
  reports show <report>    one report
  reports close <report>   take a report off the list
  reports take-down        close the page that was reported
  reports put-back         open it again

  npm run reunite -- users --help    the options of each
  npm run reunite -- sms --help
  npm run reunite -- stickers --help
  npm run reunite -- reports --help

Which service
  A development server that runs from this folder is found by itself, with its secret key.
  Any other is named by PUBLIC_URL and SECRET_KEY in the environment. With SERVICE_IS_LOCAL=true, as in the container
  image, it is reached at PORT of this machine and not at PUBLIC_URL.

Exit codes
  0 done, 1 refused or not reachable, 2 the command is invalid
`;

export const REPORTS_HELP = `Reports. Finders report the page of a sticker to you, and owners report finders.

  reports list [--all] [--page N] [--per-page N]
      The open reports, newest first, and how many there are.
      --all            closed ones, too
      --page N         1 unless given
      --per-page N     50 unless given, at most 1000
  reports show <report>
      One report, by its id. Of a page: with the account that the tag code belonged to then, and now if it is
      another. Of a finder: with the conversation, and the owner who reports.
  reports close <report>
      Takes a report off the list. It is deleted 30 days later.
  reports take-down <report> --reason TEXT
      Voids all codes of the item whose page was reported. Finders read that the sticker is not in use. The owner
      gets an email with the reason, at most 200 characters, and keeps the item.
  reports put-back <report>
      Undoes it, for the codes that were voided by it.

  --json   print JSON instead of a table
`;

export const USERS_HELP = `Accounts. <account> is an id or an email address.

  users list [--filter TEXT] [--page N] [--per-page N]
      --filter TEXT    only accounts with the text in their address, number or name
      --page N         1 unless given
      --per-page N     50 unless given, at most 1000
  users show <account>
  users ban <account> [--for DURATION]
      --for DURATION   such as 90m, 24h or 720h; without it until the account is unbanned
      The account's sessions end at once.
  users unban <account>
  users delete <account> --yes [--soft]
      --yes            needed: there is no way back
      --soft           keep a row with the account's id and dates, and nothing else
  users export <account> [--out FILE] [--files FOLDER]
      --out FILE       write to a new file that only you can read, instead of to the terminal
      --files FOLDER   write the account's photos and other files to a new folder, too; index.json in it names them

  --json   print JSON instead of a table (export always does)
`;

export const SMS_HELP = `SMS.

  sms ranges
      Number ranges whose SMS are held back because too few of their codes were entered.
  sms hold <range>
      Holds SMS to a number range back, as the service does if too few codes are entered.
  sms release <range>
      Lets SMS to a number range go out again, and resets its count of codes.
      <range>            a number in international form without its last four digits, such as +97254200
  sms excluded [--countries LIST]
      Accounts with a proved number, or a second factor by phone, that no SMS would go to.
      --countries LIST   such as IL,US; SMS_COUNTRIES of the environment unless given

  --json   print JSON instead of a table
`;

export const STICKERS_HELP = `Blank stickers, to hand out in batches; the first who scans one can claim it. <batch> is a label.

  stickers create --count N --format F --out FILE [--label TEXT] [--note TEXT] [--by NAME] [sheet options]
      Records N new codes as issued in a batch, and writes a PDF with their stickers. If it is interrupted, no file
      is left; the same command continues the same batch.
      --count N          from 1 to 50000
      --label TEXT       the batch's own name; the name of the file unless given
      --note TEXT        such as where they are handed out
      --by NAME          who issues them; your user name unless given
  stickers list [--page N] [--per-page N]
  stickers show <batch or code>
      A code is a tag code, a typed code, or a sticker's link.
  stickers export <batch> [--out FILE]
      Its codes, typed codes, and links as CSV, to the terminal or to a new file that only you can read.
  stickers print <batch> --format F --out FILE [sheet options]
      The same codes in the same order, without void ones. Claimed ones are among them.
  stickers void <batch or code> --reason TEXT [--claimed]
      No one can claim the codes from now on, and none of their pages is shown. Codes that belong to accounts are left
      as they are.
      --reason TEXT      at most 200 characters; owners of the codes read it
      --claimed          also void those that belong to accounts
  stickers restore <batch or code>
      Undoes it. Codes that were voided one by one stay void when their batch is restored.

  Sheet options
      --format F         such as avery-5160
      --out FILE         a new file that only you can read
      --first-label N    the first label of a used sheet, counted along the rows; 1 unless given
      --offset-x=T, --offset-y=T
                         tenths of a millimeter that the printer must print further right, or down
      --line TEXT        a line of your own on each sticker, at most 40 characters, in any script of Latin, Greek,
                         Cyrillic, Hebrew, Arabic, Devanagari, Japanese, and Chinese
      --logo FILE        a picture of your own on each sticker: PNG, JPEG, or SVG

  stickers formats [TEXT]
  stickers calibrate --format F --out FILE
      A page with scales in millimeters over the edges of the first label, and how to read --offset-x and --offset-y
      from it. It is always printed without them.

  --json   print JSON instead of a table (list, show, formats)
`;
