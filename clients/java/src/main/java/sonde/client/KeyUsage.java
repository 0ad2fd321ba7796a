package sonde.client;

import java.util.List;

/**
 * What an API key has used. Money is in US dollars, days are UTC, as {@code YYYY-MM-DD}.
 *
 * @param from the first day
 * @param to the last day
 * @param costUsd of all days
 * @param data days with any usage, in their order
 * @param budget of the key
 */
public record KeyUsage(String from, String to, double costUsd, List<Day> data, Budget budget) {
    /**
     * What was used on one day.
     *
     * @param date the day
     * @param costUsd of the day
     * @param usage by kind and model
     */
    public record Day(String date, double costUsd, List<Line> usage) {}

    /**
     * What one kind of work with one model has used.
     *
     * @param kind {@code chat} or {@code research}
     * @param model empty if it is not known
     * @param count ended runs of research, or calls of the model in chats
     * @param inputTokens input tokens
     * @param outputTokens output tokens
     * @param costUsd without those whose cost is not known
     * @param unknownCost how many of {@code count} have an unknown cost
     */
    public record Line(
            String kind,
            String model,
            long count,
            long inputTokens,
            long outputTokens,
            double costUsd,
            long unknownCost) {}

    /**
     * What may be spent.
     *
     * @param day today
     * @param month this month
     */
    public record Budget(Period day, Period month) {}

    /**
     * What may be spent in a day or a month.
     *
     * @param limitUsd null if there is no limit
     * @param spentUsd what has been spent
     * @param reservedUsd what calls under way cost at most
     * @param resetsAt when the next day or month begins
     */
    public record Period(Double limitUsd, double spentUsd, double reservedUsd, String resetsAt) {}
}
