export const GENERAL_HELP = `The operator's command line.

  npm run reunite -- users <command> [options]
  npm run reunite -- operators <command> [options]
  npm run reunite -- service <command> [options]
  npm run reunite -- desks <command> [options]
  npm run reunite -- sms <command> [options]
  npm run reunite -- stickers <command> [options]
  npm run reunite -- reports <command> [options]
  npm run reunite -- backup <command> [options]

Commands
  users list               the accounts, newest first
  users show <account>     one account
  users ban <account>      keep an account out
  users unban <account>    let it in again
  users sign-out <account> end its sessions
  users send-link <account> send it a sign-in link
  users make-link <email>  a link that invites, confirms, or gives a new password
  users delete <account>   delete an account and everything in it
  users export <account>   everything that is stored about an account, as JSON
  operators list           the accounts that may use the console at /operate
  operators add <account>  let an account use it
  operators remove <account> no longer
  service show             how the service is
  service deliveries       what could not be sent, and why
  service returns          what was tagged, written, and returned
  desks list               where finders hand things in
  desks add                put a desk on finders’ pages
  desks change <desk>      give it other values
  desks remove <desk>      take it off
  sms excluded             accounts whose numbers SMS_COUNTRIES excludes
  stickers create          blank stickers on sheets of labels, as a PDF
  stickers list            the batches, newest first
  stickers show            one batch or one code
  stickers export          the codes of a batch, as CSV
  stickers print           the stickers of a batch, once more
  stickers void            stop a batch or a code
  stickers restore         make it work again
  stickers formats         the sheets and rolls you can print on
  stickers calibrate       a page that shows how far a printer is off
  reports list             what finders and owners reported to you
  reports show <report>    one report
  reports close <report>   take a report off the list
  reports take-down        close the page that was reported
  reports put-back         reopen it
  backup create            back up the database and the files, while the service runs
  backup list              the backups in a folder
  backup verify <file>     prove that a backup can be restored
  backup restore <file>    restore it into an empty database
  backup create-key <file> a key to encrypt backups

  npm run reunite -- users --help    the options of each
  npm run reunite -- operators --help
  npm run reunite -- service --help
  npm run reunite -- desks --help
  npm run reunite -- sms --help
  npm run reunite -- stickers --help
  npm run reunite -- reports --help
  npm run reunite -- backup --help

Which service
  The command finds a development server that runs from this folder, with its secret key.
  For any other, set PUBLIC_URL and SECRET_KEY in the environment. With SERVICE_IS_LOCAL=true, as in the container
  image, the command uses PORT on this machine instead of PUBLIC_URL.
  backup is different: it needs the database and the files themselves, so run it on the service's machine with the
  service's settings.

Exit codes
  0 done, 1 refused or unreachable, 2 invalid command
`;

export const REPORTS_HELP = `Reports. Finders report the page of a sticker to you, and owners report finders.

  reports list [--all] [--page N] [--per-page N]
      The open reports, newest first, and how many there are.
      --all            also closed ones
      --page N         1 unless given
      --per-page N     50 unless given, at most 1000
  reports show <report>
      One report, by its id. For a page, it names the account that the tag code belonged to then, and the
      one now if that changed. For a finder, it names the conversation and the owner who reported.
  reports close <report>
      Takes a report off the list. It is deleted 30 days later.
  reports take-down <report> --reason TEXT
      Voids all codes of the item whose page was reported. Finders read that the sticker is not in use. The owner
      gets an email with the reason, at most 200 characters, and keeps the item.
  reports put-back <report>
      Undoes it for the codes that it voided.

  --json   print JSON instead of a table
`;

export const USERS_HELP = `Accounts. <account> is an id or an email address.

  users list [--filter TEXT] [--page N] [--per-page N]
      --filter TEXT    only accounts with the text in their address, number, or name
      --page N         1 unless given
      --per-page N     50 unless given, at most 1000
  users show <account>
  users ban <account> [--for DURATION]
      --for DURATION   such as 90m, 24h, or 720h; without it, until you unban the account
      The account's sessions end at once.
  users unban <account>
  users sign-out <account>
      Ends its sessions everywhere.
  users send-link <account>
      Sends a sign-in link to its email address.
  users make-link <email> [--reason TEXT]
      Prints a link that works once, for a day. It invites a new address, confirms a sign-up, or lets an account
      choose a new password.
      --reason TEXT    5 to 200 characters, required for an account; its owner reads it
  users delete <account> --yes [--soft]
      --yes            required, because you can't undo this
      --soft           keep a row with the account's id and dates, and nothing else
  users export <account> [--out FILE] [--files FOLDER]
      --out FILE       write to a new file that only you can read, instead of to the terminal
      --files FOLDER   also write the account's photos and other files to a new folder; index.json in it names them

  --json   print JSON instead of a table (export always does)
`;

export const OPERATORS_HELP = `Operators: accounts that may use the console at /operate. <account> is an id or an email address.

  operators list
  operators add <account>
      The account signs in with a second factor or a passkey; without one, the console is closed to it.
  operators remove <account>

  --json   print JSON instead of a table
`;

export const SERVICE_HELP = `The service.

  service show
      Database, disk, files, mail, push, jobs, and backup, without secrets.
  service deliveries
      Jobs that failed, and why. No receiver is named.
  service returns
      Counts, in all and of the last 30 days.

  --json   print JSON instead of a table
`;

export const DESKS_HELP = `Hand-in desks on finders’ pages. <desk> is an id.

  desks list
  desks add --name TEXT --place TEXT --zone ZONE --hours HOURS [options]
      --name TEXT        at most 60 characters
      --place TEXT       its address, at most 100 characters
      --zone ZONE        its time zone, such as Europe/Berlin
      --hours HOURS      such as "mon-fri 9-12:30, 14-18; sat 22-2". It is closed on other days. 0-24 is all day
      --other-days DAYS  holidays and days with other hours, such as "2026-12-25; 2026-12-24 9-12"
      --phone NUMBER
      --languages LIST   spoken there, such as de,en
      --position N       its place in the order on finders’ pages; the last unless given
  desks change <desk> … the same options
      Gives it these values, and no others.
  desks remove <desk>

  --json   print JSON instead of a table
`;

export const SMS_HELP = `SMS.

  sms excluded [--countries LIST]
      Accounts with a proved number, or a second factor by phone, that no SMS would go to.
      --countries LIST   such as IL,US; SMS_COUNTRIES in the environment unless given

  --json   print JSON instead of a table
`;

export const STICKERS_HELP = `Blank stickers to hand out in batches. The first person who scans one can claim it. <batch> is a label.

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
      The same codes in the same order, without void ones. Claimed ones are included.
  stickers void <batch or code> --reason TEXT [--claimed]
      From now on, no one can claim the codes, and their pages are not shown. Codes that belong to accounts stay as
      they are.
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

export const BACKUP_HELP = `Backups: the database and the uploaded files at one moment, in one file. The secrets are not in it.
The commands use the settings of the service: DATABASE_URL, DATA_DIRECTORY, and S3_ENDPOINT with its others.

  backup create [--folder FOLDER] [--to-key KEY]
      Makes a backup while the service runs, and says what is in it. The file has its name once it is whole.
      --folder FOLDER   a folder, or s3://bucket/prefix; unless given, BACKUP_TO or backups in DATA_DIRECTORY
      --to-key KEY      encrypt it for this public key of age, such as age1…
  backup list [--folder FOLDER] [--json]
      The backups in the folder, newest first.
  backup verify <file> [--key-file FILE]
      Reads all of it and compares every checksum, restores it into a PostgreSQL that is thrown away, and compares
      again. That takes as much disk space as the database, in the folder for temporary files (TMPDIR).
      --key-file FILE   the key of an encrypted backup
  backup restore <file> [--key-file FILE] [--end-again]
      Restores it into an empty database, and its files into the data folder or the object store. Stop the service
      before. Emails, SMS, and notifications whose time has passed are not sent. It names what ended after the backup
      and is there again: accounts, sessions, consents.
      --end-again       end that at once
  backup end-again [--folder FOLDER]
      Ends it after the restore, before you start the service. The folder is that of the backup.
  backup endings [--folder FOLDER]
      Writes what ended to the folder, as create does, by ids and times: where a database is to be replaced.
  backup create-key <file>
      Writes a key to a new file that only you can read, and prints its public half for --to-key. The service's
      machine needs the public half alone.
`;
