package sonde.client;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Describes an argument of a {@link ModelFunction} for the model. */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.PARAMETER)
public @interface ModelArgument {
    /** @return what it is */
    String value() default "";

    /** @return its name; that of the parameter unless given, which needs a class that was compiled with {@code -parameters} */
    String name() default "";
}
