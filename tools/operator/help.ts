export const GENERAL_HELP = `The operator's command line.

  npm run reunite -- users <command> [options]

Commands
  users list               the accounts, newest first
  users show <account>     one account
  users ban <account>      keep an account out
  users unban <account>    let it in again
  users delete <account>   delete an account and all that belongs to it
  users export <account>   everything that is stored about an account, as JSON

  npm run reunite -- users --help    the options of each

Which service
  A development server that runs from this folder is found by itself, with its secret key.
  Any other is named by PUBLIC_URL and SECRET_KEY in the environment.

Exit codes
  0 done, 1 refused or not reachable, 2 the command makes no sense
`;

export const USERS_HELP = `Accounts. <account> is an id or an e-mail address.

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

  --json   answer in JSON instead of a table (export always does)
`;
