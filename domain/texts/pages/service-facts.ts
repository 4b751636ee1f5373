/** What the pages state about an installation, from its configuration. */
export interface ServiceFacts {
  readonly productName: string;
  /** Whether the service sends emails. */
  readonly hasMail: boolean;
  readonly codeLifeSeconds: number;
  /** How long to wait between two codes to one recipient. */
  readonly codeGapSeconds: number;
  readonly linkLifeSeconds: number;
  readonly auditLogDays: number;
  /** How long files stay on the disk after they were removed. */
  readonly keepRemovedHours: number;
}
