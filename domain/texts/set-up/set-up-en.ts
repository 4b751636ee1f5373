/** The texts of the page on which an operator sets up a new service, in English. */
export const setUpEn = {
  pageTitle: (product: string) => `Set up ${product}`,
  title: (product: string) => `Set up ${product}`,
  intro: 'A few answers, and it’s running. You can change them later.',

  account: {
    title: 'Your account',
    intro:
      'It looks after the service at /operate. You add a second step or a passkey when you first sign in. Leave both fields empty to add an operator by the command line later.',
    email: 'Your email',
    password: 'Choose a password',
  },
  address: {
    title: 'Public address',
    label: 'The address people open',
    hint: 'It’s on every sticker and in every email, so choose one that stays. Cameras and notifications need https, which a proxy in front of the service provides.',
    direct:
      'You reached this page without a proxy that names your address. One in front has to send X-Forwarded-For, or the service takes all visitors for one.',
    proxied: (client: string) =>
      `The proxy in front says that your address is ${client}. If that isn’t yours, check the headers that it sends.`,
    name: 'Name of the service',
    stickers: 'Address on stickers (optional)',
    stickersHint: 'A shorter domain of yours makes a smaller code. It has to lead here, too.',
  },
  mail: {
    title: 'Email',
    intro: 'Sign-up codes and messages from finders go out through a mail server.',
    none: 'This service sends no email',
    noneHint:
      'You then invite people with a link or QR code, and help those who forget their password with a one-time link. Finders’ messages arrive as notifications and on the dashboard.',
    host: 'Mail server',
    encryption: 'Encryption',
    encryptions: {
      tls: 'TLS (usually port 465)',
      starttls: 'STARTTLS (usually port 587)',
      none: 'None, or STARTTLS if offered (port 25)',
    },
    port: 'Port',
    portHint: 'Leave empty for the usual one.',
    user: 'User name',
    userHint: 'Leave empty if the server doesn’t ask for one.',
    password: 'Password',
    passwordKept: 'Kept. Type here only to change it.',
    from: 'Sender',
    fromHint: 'An address this server may send from, alone or with a name.',
  },
  test: {
    title: 'Try it (optional)',
    label: 'Send a test email to',
    button: 'Send test email',
    sent: (to: string) => `The mail server accepted the test email. Check the inbox of ${to}.`,
    failed: 'The test email wasn’t sent.',
    reply: 'The mail server’s reply:',
    subject: (product: string) => `Test email from ${product}`,
    body: (product: string) => `${product} can send email through this mail server.`,
  },
  save: (product: string) => `Start ${product}`,

  problems: {
    summary: 'Something needs another look.',
    address: 'Enter an address such as https://lost.example.org, without anything behind it.',
    host: 'Enter the name of the mail server alone, such as mail.example.org.',
    port: 'Enter a number from 1 to 65535, or nothing.',
    user: 'Enter the user name that belongs to the password.',
    password: 'Enter the password of this user.',
    from: 'Enter one address, alone or as Reunite <noreply@lost.example.org>.',
    name: 'Enter at most 40 characters.',
    operator: 'Enter a complete email address.',
    operatorPassword: 'Choose a password for your account.',
    weakPassword: (length: number) => `Choose at least ${length} characters that aren’t a common password.`,
    to: 'Enter the address that the test email should go to.',
    unreadable: 'The form didn’t arrive as a browser sends it. Open the address again.',
    unstored: 'The answers couldn’t be stored. The terminal or log of the service says why.',
  },
  /** Why a test email was not sent. */
  failures: {
    unknownHost: (host: string) => `There’s no mail server named ${host}. Check the spelling.`,
    refused: (host: string, port: number) => `${host} takes no connections on port ${port}. Check the port.`,
    unreachable: (host: string) => `${host} can’t be reached from here. Check the network of this machine.`,
    silent: (host: string, port: number) =>
      `${host} didn’t respond on port ${port} in time. Check the port. Many hosting companies block port 25.`,
    notTls: (host: string, port: number) => `${host} doesn’t speak TLS on port ${port}. Try STARTTLS.`,
    noStarttls: (host: string) => `${host} doesn’t offer STARTTLS. Try TLS.`,
    certificate: (host: string) =>
      `The certificate of ${host} isn’t trusted. It has expired, is self-signed, or is for another name.`,
    login: 'The mail server didn’t accept the user name and password.',
    loginNeeded: 'The mail server wants a user name and a password.',
    sender: 'The mail server doesn’t let this user send from that sender.',
    recipient: 'The mail server didn’t accept the recipient.',
    notMail: (host: string, port: number) => `What responds at ${host} on port ${port} isn’t a mail server.`,
    ended: (host: string) => `${host} ended the connection. Try another encryption or port.`,
    other: 'The mail server didn’t accept the email.',
  },

  notice: {
    title: (product: string) => `${product} is being set up`,
    text: 'This service isn’t open yet. Please come back a little later.',
    operator: 'Are you setting it up? Its terminal or log shows a one-time address. Open that address to continue.',
  },
  starting: {
    title: (product: string) => `${product} is starting`,
    text: 'This takes a few seconds, on a small machine half a minute. The page then opens by itself.',
    address: 'You’ll find it at',
  },
  gone: {
    title: 'Already set up',
    text: 'Someone was faster, and their answers are the ones that count.',
  },
  unknown: {
    title: 'Page not found',
    text: 'There’s nothing at this address.',
  },
};
